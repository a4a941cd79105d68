// Tells the server when the reader switches between light and dark; once for each switch, so that it cannot loop.
export default function ({ parentElement, data, setTriggerValue }) {
  const host = parentElement.host ?? parentElement;
  const probe = document.createElement("canvas").getContext("2d");
  const isDark = () => {
    probe.fillStyle = getComputedStyle(host).getPropertyValue("--st-background-color").trim();
    return parseInt(probe.fillStyle.slice(1, 3), 16) < 128;
  };
  const look = () => {
    const dark = isDark();
    if (dark !== data.dark && dark !== host.curriculabTold) {
      host.curriculabTold = dark;
      setTriggerValue("switched", true);
    } else if (dark === data.dark) {
      host.curriculabTold = undefined;
    }
  };
  const timer = setInterval(look, 250);
  return () => clearInterval(timer);
}
