// Shows itself unless this browser was told not to; folded, it stays folded.
const KEY = "curriculab-start";

export default function ({ parentElement, setTriggerValue }) {
  const box = parentElement.querySelector("details");
  const remember = (value) => {
    try {
      localStorage.setItem(KEY, value);
    } catch {
      // A browser that keeps nothing shows it again next time.
    }
  };
  let kept = null;
  try {
    kept = localStorage.getItem(KEY);
  } catch {
    // As above.
  }
  box.open = kept === null;
  box.hidden = kept === "hidden";
  box.ontoggle = () => box.hidden || (box.open ? localStorage.removeItem(KEY) : remember("folded"));
  parentElement.querySelector(".hide").onclick = () => {
    box.hidden = true;
    remember("hidden");
  };
  parentElement.querySelector(".lesson").onclick = () => setTriggerValue("lesson", true);
}
