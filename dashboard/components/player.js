// Counts keys and clicks where they are made and asks the server for the step they add up to. A wanted step is absolute
// and at most one is on its way, so nothing is lost however long the server takes; it answers with the number of the
// last wish it has seen. Lessons have the same controls for their screens: `most` leads to what lies after them, slides also
// to what lies before, and a `chapter` of its own says whose screens are counted. When the page is drawn anew, Streamlit may
// take the controls away and put others in their place: who counts stays, and goes on counting while an answer is on its way, or
// while a page is drawn that had the controls before. Digits answer the question of the screen that is wanted, drawn or not: an
// answer waits in the same queue as the steps, with the number of its screen, until the server says that it has it. While
// there is no connection, all that is pressed waits for the next one.
const players = (window.curriculabPlayers ??= {});
const KEYS = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last", p: "play", P: "play" };
const TYPING = "input:not([type=radio],[type=checkbox],[type=button]), textarea, select, [contenteditable=true], " +
  "[role=combobox], [role=listbox], [role=slider], [role=menu], [role=dialog], [data-testid=stDataFrame]";
const CHOOSING = "[role=radiogroup], [role=radio], [role=tablist], input[type=radio]";
const LOOK = 250; // milliseconds until it is looked again whether the connection is back
const PATIENCE = 3000; // milliseconds after which a wish that was not answered is sent once more; twice as long each time
const TRIES = 3; // of a wish that the server has seen but not followed, because the page was just being drawn anew
const app = () => document.querySelector("[data-testid=stApp]")?.dataset ?? {};
const drawing = () => app().testScriptState === "running";
const connected = () => app().testConnectionState === "CONNECTED";

class Player {
  constructor() {
    this.playing = false;
    this.inFlight = false;
    this.byPointer = false;
    this.elsewhere = 0; // when the reader last did something that may lead to another step than the wished one
    this.back = 0; // when they last went through the browser's history
    this.early = []; // keys pressed while the page that has the controls was being drawn
    this.answers = []; // those that the server has not confirmed: { screen, choice, sent }
    this.waiting = false; // for a connection, and then for the page to be drawn anew
    this.lost = 0; // when there last was none
    this.onClick = event => {
      const button = event.target.closest("button[data-go]");
      if (button && !button.disabled) this.act(button.dataset.go);
    };
    this.onJump = event => {
      this.playing = false;
      this.go(Number(event.target.value));
      event.target.blur(); // arrow keys step again
    };
    this.onAsked = event => { // slides have come to the end of a screen, or hear an answer
      if (this.gone()) return;
      const turns = typeof event.detail !== "number";
      if (turns && this.clamped(this.target(event.detail)) === this.wanted) return;
      event.preventDefault();
      this.act(event.detail);
    };
    this.onPointer = event => {
      this.byPointer = true;
      if (!event.composedPath().includes(this.root)) this.onLeft();
    };
    this.onLeft = () => {
      this.elsewhere = Date.now();
      this.early = [];
    };
    this.onBack = () => {
      this.onLeft();
      this.back = Date.now();
    };
    this.onKey = event => {
      if (event.key === "Tab") this.byPointer = false;
      const gone = this.gone();
      const action = KEYS[event.key] ?? this.choice(event.key, gone);
      if (!action) this.onLeft();
      if (gone && !this.coming()) return;
      if (this.slides) return; // keys go through the figures first
      const at = event.composedPath()[0];
      if (!action || (action === "play" && !this.button("play")) || event.ctrlKey || event.metaKey || event.altKey || !(at instanceof Element)) return;
      // Who came to a row of choices by Tab moves between them by arrows; who clicked there goes on stepping.
      const asked = !connected() && at.closest("[role=dialog]"); // what Streamlit shows over the page while it has no connection
      if ((at.closest(TYPING) && !asked) || (at.closest(CHOOSING) && !this.byPointer)) return;
      event.preventDefault();
      event.stopPropagation();
      if (gone) this.early.push(action);
      else this.act(action);
    };
  }

  update(root, data, setStateValue) {
    const first = this.seq === undefined;
    this.bind(root);
    this.setStateValue = setStateValue;
    this.steps = data.steps;
    this.pace = data.pace;
    this.slides = Boolean(data.slides);
    this.least = this.slides ? 0 : 1;
    this.most = data.most ?? data.steps.length;
    if (first) this.seq = data.seq;
    const turned = !first && (data.chapter !== this.chapter || data.step !== this.shown);
    // What was wished for belongs to other screens, or the server has forgotten all wishes: the controls were gone.
    const forgotten = data.seq < this.heard;
    if (data.chapter !== this.chapter) {
      this.inFlight = this.waiting = false;
      this.answers = [];
    }
    if (connected()) this.lost = 0;
    this.choices = data.choices ?? [];
    this.answers = this.answers.filter(one => this.choices[one.screen - 1]);
    this.heard = data.seq;
    this.chapter = data.chapter;
    this.shown = data.step;
    if (turned && data.top) document.querySelector("[data-testid=stMain]")?.scrollTo(0, 0);
    if (data.next) {
      this.button("forward").querySelector("span").textContent = data.next;
      this.button("forward").classList.toggle("primary", !data.quiet);
    }
    if ((data.seq >= this.seq || forgotten || !this.inFlight) && !this.waiting) {
      const later = this.inFlight && (this.wanted !== this.sent || this.answers.some(one => !one.sent));
      const missed = this.sent !== data.step || this.answers.some(one => one.sent);
      const unheeded = this.inFlight && missed && this.since > this.elsewhere && this.tries < TRIES;
      this.inFlight = false;
      clearTimeout(this.again);
      if (unheeded) this.send(PATIENCE, this.tries + 1);
      else if (later && !forgotten) this.send();
      else this.rest();
    }
    const select = this.root.querySelector("select");
    const names = JSON.stringify(data.steps);
    if (select.dataset.names !== names) {
      select.dataset.names = names;
      select.replaceChildren(...data.steps.map((name, k) => new Option(`${k + 1} of ${data.steps.length}: ${name}`, k + 1)));
    }
    this.draw();
    for (const action of this.early.splice(0)) this.act(action);
  }

  bind(root) {
    if (this.root === root) return;
    if (this.gone() && !this.alive()) this.inFlight = this.playing = this.waiting = false;
    this.leave();
    this.root = root;
    this.page = location.pathname;
    root.addEventListener("click", this.onClick);
    root.querySelector("select").addEventListener("change", this.onJump);
    document.addEventListener("keydown", this.onKey, true);
    document.addEventListener("curriculab-go", this.onAsked);
    document.addEventListener("pointerdown", this.onPointer, true);
    window.addEventListener("popstate", this.onBack);
    if (this.playing) this.timer = setTimeout(() => this.tick(), this.pace);
  }

  leave() {
    clearTimeout(this.timer);
    this.root?.removeEventListener("click", this.onClick);
    this.root?.querySelector("select")?.removeEventListener("change", this.onJump);
    this.root = null;
  }

  gone() { // and not only until the answer to a wish is drawn
    return !this.root && (!this.inFlight || Date.now() - this.since > PATIENCE || location.pathname !== this.page);
  }

  alive() { // a wish after which the reader did nothing else; a server that was started anew may take long to answer it
    return this.inFlight && this.since > this.elsewhere && location.pathname === this.page;
  }

  coming() { // perhaps: a page that had the controls is being drawn, or soon will be
    return location.pathname === this.page && (drawing() || Date.now() - this.back < PATIENCE);
  }

  button(go) {
    return this.root?.querySelector(`button[data-go=${go}]`);
  }

  clamped(step) {
    return Math.min(Math.max(step, this.least), this.most);
  }

  target(action) {
    return { first: 1, back: this.wanted - 1, forward: this.wanted + 1, last: this.steps.length }[action];
  }

  choice(key, gone) { // the number of an answer, if the key is one; on other screens digits have other meanings
    const here = this.root || (!gone && drawing() && this.alive());
    return here && this.choices?.length && /^[1-9]$/.test(key) ? Number(key) : undefined;
  }

  act(action) {
    const last = this.steps.length;
    if (typeof action === "number") {
      this.answer(action);
      return;
    }
    if (action === "play") {
      if (last === 1) return;
      this.playing = !this.playing;
      clearTimeout(this.timer);
      if (this.playing) {
        if (this.wanted === last) this.go(1);
        this.timer = setTimeout(() => this.tick(), this.pace);
      }
      this.draw();
      return;
    }
    this.playing = false;
    this.go(this.target(action));
  }

  go(step) {
    this.wanted = this.clamped(step);
    this.draw();
    if (this.root && !this.inFlight && this.open()) this.send();
  }

  answer(choice) { // the first one counts
    const screen = this.wanted;
    if (choice > (this.choices[screen - 1] ?? 0) || this.answers.some(one => one.screen === screen)) return;
    this.answers.push({ screen, choice, sent: false });
    if (this.root && !this.inFlight) this.send();
  }

  open() { // whether anything is wished for that is not on screen
    return this.wanted !== this.shown || this.answers.length > 0;
  }

  rest() {
    this.wanted = this.shown;
    this.answers = [];
  }

  send(patience = PATIENCE, tries = 1) {
    this.since = Date.now();
    this.inFlight = true;
    this.tell(patience, tries);
  }

  tell(patience, tries) {
    clearTimeout(this.again);
    if (!connected()) this.lost = Date.now();
    this.waiting = !this.root || Date.now() - this.lost < PATIENCE;
    if (this.waiting) {
      if (this.alive()) this.again = setTimeout(() => this.tell(patience, tries), LOOK);
      else this.inFlight = this.waiting = false;
      return;
    }
    this.since = Date.now();
    this.tries = tries;
    this.seq += 1;
    this.sent = this.wanted;
    for (const one of this.answers) one.sent = true;
    this.again = setTimeout(() => this.tellAgain(2 * patience), patience);
    const answers = this.answers.map(one => [one.screen, one.choice]);
    this.setStateValue("at", { step: this.wanted, seq: this.seq, chapter: this.chapter, answers });
  }

  tellAgain(patience) { // as soon as there are controls
    if (!this.alive() || !this.open()) this.inFlight = false;
    else if (this.root) this.send(patience);
    else this.again = setTimeout(() => this.tellAgain(patience), LOOK);
  }

  tick() {
    clearTimeout(this.timer);
    if (!this.playing) return;
    if (this.inFlight || drawing()) { // the next step waits until this one is on screen
      this.timer = setTimeout(() => this.tick(), 100);
      return;
    }
    this.go(this.wanted + 1);
    this.playing = this.wanted < this.steps.length;
    this.draw();
    if (this.playing) this.timer = setTimeout(() => this.tick(), this.pace);
  }

  draw() {
    if (!this.root) return;
    const last = this.steps.length;
    for (const button of this.root.querySelectorAll("button[data-go]")) {
      const go = button.dataset.go;
      if (go === "first" || go === "back") button.disabled = this.wanted <= this.least;
      else if (go === "forward" || go === "last") button.disabled = this.wanted >= this.most;
      else {
        button.disabled = last === 1;
        button.classList.toggle("playing", this.playing);
        button.querySelector("span").textContent = this.playing ? "Pause" : "Play";
      }
    }
    this.root.querySelector("select").value = String(this.wanted);
  }
}

export default function ({ parentElement, data, setStateValue }) {
  const player = (players[data.kind] ??= new Player());
  player.update(parentElement, data, setStateValue);
  return () => {
    if (player.root === parentElement) player.leave();
  };
}
