// Shows one figure of the page at a time. A style sheet of its own names the figure by its class, so that it holds while
// Streamlit draws the page anew; figures are counted, as their names may change from step to step.
const FIGURES = "[data-testid=stMain] [class*=st-key-figure-]";
const TYPING = "input:not([type=radio],[type=checkbox],[type=button]), textarea, select, [contenteditable=true], " +
  "[role=combobox], [role=listbox], [role=slider], [role=menu], [role=dialog]";
const BAR = 56;
const SAY_AFTER = 300; // milliseconds after the last key until the server is told
const AGAIN = 100; // milliseconds until it is looked again whether the next screen is there
const QUESTION = "st-key-figure-question";
const OVERVIEW = "st-key-figure-overview";

class Slides {
  constructor(root) {
    this.root = root;
    this.sheet = document.createElement("style");
    this.waiting = []; // keys pressed while the next screen is on its way
    this.watch = new MutationObserver(() => this.soon());
    this.onKey = event => this.key(event);
    this.onSize = () => this.soon();
    this.bar = document.createElement("div");
    this.bar.className = "bar";
    this.bar.setAttribute("role", "toolbar");
    this.bar.setAttribute("aria-label", "Slides");
    this.bar.innerHTML = '<button data-go="back" aria-label="Previous figure">↑</button><span class="where" role="status"></span>' +
      '<button data-go="on" aria-label="Next figure">↓</button><span class="about"></span><span class="keys"></span><button data-go="leave">Esc: leave</button>';
    this.bar.addEventListener("click", event => {
      const go = event.target.closest("button")?.dataset.go;
      if (go === "leave") this.leave();
      else if (go) this.move(go === "on" ? 1 : -1);
    });
  }

  update(data, say) {
    this.say = say;
    this.pages = data.pages;
    this.lesson = data.lesson;
    this.bar.querySelector(".about").textContent = data.about;
    if (this.where !== data.where) { // another page or another screen begins with its own figure
      this.where = data.where;
      this.at = this.turning === -1 ? -1 : data.figure;
      this.turning = 0;
    }
    if (!this.bar.isConnected) this.root.append(this.bar);
    document.head.append(this.sheet);
    document.addEventListener("keydown", this.onKey, true);
    window.addEventListener("resize", this.onSize);
    const main = document.querySelector("[data-testid=stMain]");
    if (main) this.watch.observe(main, { childList: true, subtree: true });
    this.draw();
  }

  stop() {
    clearTimeout(this.later);
    document.removeEventListener("keydown", this.onKey, true);
    window.removeEventListener("resize", this.onSize);
    this.watch.disconnect();
    this.sheet.remove();
  }

  figures() {
    const all = [...document.querySelectorAll(FIGURES)].filter(one => !one.closest("[data-stale=true]"));
    const names = all.map(one => [...one.classList].find(name => name.startsWith("st-key-figure-")));
    return [...new Set(names)];
  }

  steps() { // whether Left and Right are taken by something on the page; a lesson goes on after its last figure
    return Boolean(document.querySelector(".st-key-player")) && !this.lesson;
  }

  unanswered() { // the place of a question that is not answered yet, or 0
    return document.querySelector("[class*=st-key-choice-]") ? this.figures().indexOf(QUESTION) + 1 : 0;
  }

  key(event) {
    const at = event.composedPath()[0];
    if (event.ctrlKey || event.metaKey || event.altKey || !(at instanceof Element)) return;
    if (event.key === "Escape") {
      event.preventDefault();
      this.leave();
      return;
    }
    if (at.closest(TYPING) || at.closest("[role=radiogroup], input[type=radio]")) return;
    if (/^[1-9]$/.test(event.key) && (this.unanswered() || this.busy())) {
      event.preventDefault();
      event.stopPropagation();
      this.move(event.key);
      return;
    }
    const along = this.steps() ? ["ArrowUp", "ArrowDown"] : ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"];
    if (!along.includes(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    this.move(event.key === "ArrowDown" || event.key === "ArrowRight" ? 1 : -1);
  }

  busy() { // with keys pressed before
    return this.turning || this.waiting.length;
  }

  move(by) { // a figure on (1) or back (-1), or the answer that a key gives
    if (this.busy()) {
      this.waiting.push(by);
      this.soonAgain();
    } else this.go(by);
  }

  go(by) {
    if (typeof by === "string") {
      this.answer(by);
      return;
    }
    const count = this.figures().length;
    const to = this.place(count) + by;
    if (to >= 1 && to <= count) this.show(to);
    else if (this.pages[by === 1 ? "after" : "before"]) this.turn(by, () => this.ask({ turn: by }));
    else if (this.lesson && this.wish(by === 1 ? "forward" : "back")) this.turn(by, () => {});
  }

  answer(key) {
    const question = this.unanswered();
    if (question && question !== this.place(this.figures().length)) this.show(question); // nobody answers what they have not seen
    else if (question) this.wish(Number(key));
  }

  wish(action) { // of the lesson's controls, which count until the server has it; whether they have taken it
    return !document.dispatchEvent(new CustomEvent("curriculab-go", { detail: action, cancelable: true }));
  }

  show(place) {
    this.at = place;
    this.draw();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask({ figure: this.at }), SAY_AFTER);
  }

  turn(by, how) {
    clearTimeout(this.timer);
    this.turning = by;
    how();
  }

  soonAgain() { // keys that came too early count as soon as there is something to go to
    clearTimeout(this.later);
    this.later = setTimeout(() => {
      const busy = document.querySelector("[data-testid=stApp]")?.dataset.testScriptState === "running";
      if (!busy && !this.turning) {
        if (this.figures().length) this.go(this.waiting.shift());
        else this.waiting = [];
      }
      if (this.waiting.length) this.soonAgain();
    }, AGAIN);
  }

  ask(wish) { // the time makes every wish another one
    this.say("wish", { ...wish, time: Date.now() });
  }

  leave() {
    clearTimeout(this.timer);
    this.waiting = [];
    this.ask({ leave: true });
  }

  place(count) {
    return this.at < 0 ? Math.max(count, 1) : Math.min(Math.max(this.at, 1), Math.max(count, 1));
  }

  soon() {
    if (this.asked) return;
    this.asked = requestAnimationFrame(() => {
      this.asked = 0;
      this.draw();
    });
  }

  rules(name, below) {
    const shown = [name, "st-key-slide-words", "st-key-slides-bar", "slides-about"].flatMap(one => [`.${one}`, `.${one} *`]).join(", ");
    return `
      [data-testid="stMainBlockContainer"] :not(${shown}) { visibility: hidden !important; }
      .${name}, .st-key-slide-words { visibility: visible !important; position: fixed !important; }
      .st-key-slide-words { left: 32px; right: 32px; bottom: ${BAR + 4}px; width: auto !important; z-index: 1001;
        max-height: 32vh; overflow: auto; }
      .${name} { z-index: 1000; left: 0; top: 0; right: 0; width: 100vw !important; max-width: none !important;
        height: calc(100vh - ${below}px) !important; overflow: auto; border: 0 !important; border-radius: 0 !important;
        padding: 20px 32px 8px !important; flex-wrap: nowrap !important; }
      .${name} > :has([data-testid="stPlotlyChart"]) { flex: 1 1 0 !important; min-height: 0; }`;
  }

  hint(names, place) {
    if (place && this.unanswered() === place) return "number keys answer, → skips";
    if (names[place] === QUESTION) return "→ the question";
    if (this.lesson) return "← → through the lesson";
    if (names[0] === OVERVIEW) return "→ lesson 1, or its number";
    return this.steps() ? "← → steps, ↑ ↓ figures" : "arrow keys: figures";
  }

  draw() {
    const names = this.figures();
    const place = this.place(names.length);
    const words = document.querySelector(".st-key-slide-words");
    const room = words && names.length ? words.getBoundingClientRect().height + 8 : 0;
    const rules = names.length ? this.rules(CSS.escape(names[place - 1]), Math.ceil(BAR + room)) : "";
    if (this.sheet.textContent !== rules) {
      this.sheet.textContent = rules;
      window.dispatchEvent(new Event("resize")); // charts fit themselves to their new place
    }
    const what = names[place - 1] === QUESTION ? "Question" : "Figure";
    const where = names[0] === OVERVIEW ? "All lessons" : `${what} ${place} of ${names.length}`;
    this.bar.querySelector(".where").textContent = names.length ? where : "No figure yet";
    this.bar.querySelector(".keys").textContent = this.hint(names, place);
  }
}

const all = new WeakMap();

export default function ({ parentElement, data, setStateValue }) {
  const slides = all.get(parentElement) ?? new Slides(parentElement);
  all.set(parentElement, slides);
  slides.update(data, setStateValue);
  return () => slides.stop();
}
