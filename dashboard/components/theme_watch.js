// Tells the server when the reader switches between light and dark, once for each switch; and when a lost connection is
// back: a server that was started anew knows no part of the page until the whole page was run.
let watch, drawn, told;
let lost = false;
export default function ({ data, setStateValue }) {
  const app = document.querySelector("[data-testid=stApp]");
  if (data.dark !== drawn) told = drawn = data.dark; // Streamlit calls this for a new theme, too, before the server has drawn
  const look = () => {
    const connected = app.dataset.testConnectionState === "CONNECTED";
    if (lost && connected) setStateValue("back", Date.now());
    lost = !connected;
    const dark = getComputedStyle(app).colorScheme === "dark";
    if (dark !== told) setStateValue("dark", (told = dark));
  };
  watch?.disconnect(); // of the run before
  watch = new MutationObserver(look);
  watch.observe(app, { attributes: true, attributeFilter: ["class", "data-test-connection-state"] });
  look();
  return () => watch.disconnect();
}
