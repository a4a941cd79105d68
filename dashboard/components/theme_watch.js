// Tells the server when the reader switches between light and dark; once for each switch, so that it cannot loop. And when a
// lost connection is back: a server that was started anew knows no part of the page until the whole page was run.
const connection = () => document.querySelector("[data-testid=stApp]")?.dataset.testConnectionState;
let lost = false;
export default function ({ parentElement, data, setStateValue }) {
  const host = parentElement.host ?? parentElement;
  const probe = document.createElement("canvas").getContext("2d");
  let told = data.dark;
  const look = () => {
    if (connection() !== "CONNECTED") lost = true;
    else if (lost) {
      lost = false;
      setStateValue("back", Date.now());
    }
    probe.fillStyle = getComputedStyle(host).getPropertyValue("--st-background-color").trim();
    const dark = parseInt(probe.fillStyle.slice(1, 3), 16) < 128;
    if (dark !== told) {
      told = dark;
      setStateValue("dark", dark);
    }
  };
  clearInterval(host.curriculabTimer); // of the run before, which knows only the theme in which that was drawn
  const timer = setInterval(look, 250);
  host.curriculabTimer = timer;
  return () => clearInterval(timer);
}
