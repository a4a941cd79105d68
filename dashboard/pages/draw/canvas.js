// Points are drawn, moved and erased where the pointer is, at once; the server is told and answers with the lines that
// it learned. What was sent is counted: an answer to something older never takes back what was drawn since.
const SIDE = 255, NEAR = 6, STEP = 8, SAY_EVERY = 120;
const SVG = "http://www.w3.org/2000/svg";
const KINDS = ["positive", "negative"];
const WORDS = { positive: "positive", negative: "negative" };
const near = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);
const copy = tasks => JSON.parse(JSON.stringify(tasks));
const clamp = value => Math.min(Math.max(Math.round(value), 0), SIDE);
const shown = place => `(${place.map(part => (3 * part / SIDE - 1.5).toFixed(2)).join(", ")})`.replaceAll("-", "−");

class Canvas {
  constructor(root) {
    this.root = root;
    this.box = root.querySelector(".draw");
    this.svg = root.querySelector("svg");
    this.input = root.querySelector("input");
    this.said = root.querySelector(".said");
    this.tool = "positive";
    this.cursor = [128, 128];
    this.back = [];
    this.forth = [];
    this.seq = undefined;
    this.listen();
  }

  listen() {
    this.box.addEventListener("click", event => {
      const button = event.target.closest("button");
      if (!button || button.disabled) return;
      if (button.dataset.tool) this.choose(button.dataset.tool);
      else if (button.dataset.task) this.select(Number(button.dataset.task));
      else this.act(button.dataset.do);
    });
    this.input.addEventListener("change", () => this.rename());
    this.input.addEventListener("keydown", event => {
      event.stopPropagation();
      if (event.key === "Enter") this.rename();
    });
    this.svg.addEventListener("pointerdown", event => this.down(event));
    this.svg.addEventListener("pointermove", event => this.drag(event));
    for (const end of ["pointerup", "pointercancel"]) this.svg.addEventListener(end, event => this.up(event));
    this.svg.addEventListener("keydown", event => this.key(event));
  }

  get task() { return this.tasks[this.at]; }

  update(data, say) {
    this.say = say;
    this.most = data.most;
    if (this.seq === undefined) this.seq = data.seq;
    const dark = parseInt(this.colour(getComputedStyle(this.box).getPropertyValue("--st-background-color")).slice(1, 3), 16) < 128;
    this.box.classList.toggle("dark", dark);
    if (data.seq >= this.seq || !this.tasks) {
      if (this.tasks && JSON.stringify(this.tasks) !== JSON.stringify(data.tasks)) this.keep(); // another drawing: can be undone
      if (JSON.stringify(this.tasks) !== JSON.stringify(data.tasks)) this.at = data.at;
      this.tasks = copy(data.tasks);
      this.at = Math.min(this.at ?? data.at, this.tasks.length - 1);
      this.lines = data.lines;
      this.stale = false;
    }
    this.draw();
  }

  colour(text) {
    const probe = document.createElement("canvas").getContext("2d");
    probe.fillStyle = text.trim() || "#ffffff";
    return probe.fillStyle;
  }

  // What can be done ---------------------------------------------------------------------------------------------------

  keep() {
    this.back.push(copy(this.tasks));
    if (this.back.length > 200) this.back.shift();
    this.forth = [];
  }

  change(what, change) {
    this.keep();
    change();
    this.tell(what);
  }

  tell(what) {
    if (what) this.said.textContent = what;
    this.stale = true;
    this.draw();
    const wait = Math.max(0, (this.sentAt ?? 0) + SAY_EVERY - Date.now());
    clearTimeout(this.timer);
    this.seq += 1;
    this.timer = setTimeout(() => {
      this.sentAt = Date.now();
      this.say("drawing", { tasks: copy(this.tasks), at: this.at, seq: this.seq });
    }, wait);
  }

  choose(tool) {
    this.tool = tool;
    this.held = null;
    this.draw();
  }

  select(at) {
    this.at = at;
    this.held = null;
    this.tell(`Task ${this.task.name} is selected.`);
  }

  act(what) {
    if (what === "undo" || what === "redo") {
      const [from, to] = what === "undo" ? [this.back, this.forth] : [this.forth, this.back];
      if (!from.length) return;
      to.push(copy(this.tasks));
      this.tasks = from.pop();
      this.at = Math.min(this.at, this.tasks.length - 1);
      this.tell(what === "undo" ? "Undone." : "Redone.");
    } else if (what === "add" && this.tasks.length < this.most.tasks) {
      let k = this.tasks.length + 1;
      while (this.tasks.some(task => task.name === `task ${k}`)) k += 1;
      this.change(`Task ${k} was added.`, () => {
        this.tasks.push({ name: `task ${k}`, positive: [], negative: [] });
        this.at = this.tasks.length - 1;
      });
    } else if (what === "remove" && this.tasks.length > 1) {
      this.change(`Task ${this.task.name} was removed.`, () => {
        this.tasks.splice(this.at, 1);
        this.at = Math.min(this.at, this.tasks.length - 1);
      });
    } else if (what === "clear") {
      this.change(`Task ${this.task.name} is empty.`, () => KINDS.forEach(kind => { this.task[kind] = []; }));
    }
  }

  rename() {
    const name = this.input.value.replace(/[\u0000-\u001f\u007f-\u009f]/g, " ").trim().slice(0, this.most.name);
    if (name === this.task.name) return;
    if (!name || this.tasks.some(task => task.name === name)) {
      this.said.textContent = name ? "Another task has that name." : "A task needs a name.";
      this.input.value = this.task.name;
      return;
    }
    this.change(`The task is now called ${name}.`, () => { this.task.name = name; });
  }

  nearest(place, reach) {
    let best = null;
    for (const kind of KINDS) {
      this.task[kind].forEach((point, k) => {
        const far = near(point, place);
        if (far <= reach && (!best || far < best.far)) best = { kind, k, far };
      });
    }
    return best;
  }

  use(place, reach = NEAR) { // the tool at a place; returns the point that is now held
    const found = this.nearest(place, reach);
    if (this.tool === "erase") {
      if (found) this.erase(found);
      return null;
    }
    if (found) {
      this.keep();
      return found;
    }
    if (this.tool === "move") return null;
    const total = this.tasks.reduce((sum, task) => sum + task.positive.length + task.negative.length, 0);
    if (total >= this.most.points) {
      this.said.textContent = `No more than ${this.most.points} points.`;
      return null;
    }
    const kind = this.tool;
    this.change(`Added a ${WORDS[kind]} point at ${shown(place)}.`, () => this.task[kind].push(place));
    return null;
  }

  erase(found) {
    this.change(`Erased a ${WORDS[found.kind]} point.`, () => this.task[found.kind].splice(found.k, 1));
  }

  // Pointer and keys ---------------------------------------------------------------------------------------------------

  place(event) {
    const box = this.svg.getBoundingClientRect();
    return [clamp(SIDE * (event.clientX - box.left) / box.width), clamp(SIDE * (1 - (event.clientY - box.top) / box.height))];
  }

  down(event) {
    if (event.button > 0) return;
    this.svg.setPointerCapture(event.pointerId);
    this.cursor = this.place(event);
    this.dragged = this.use(this.cursor, event.pointerType === "touch" ? 1.6 * NEAR : NEAR);
    this.moved = false;
  }

  drag(event) {
    if (!this.dragged) return;
    this.cursor = this.place(event);
    this.task[this.dragged.kind][this.dragged.k] = this.cursor;
    this.moved = true;
    this.tell();
  }

  up() {
    if (!this.dragged) return;
    if (this.moved) this.tell(`Moved a ${WORDS[this.dragged.kind]} point to ${shown(this.cursor)}.`);
    else this.back.pop();
    this.dragged = null;
    this.draw();
  }

  key(event) {
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const tools = { 1: "positive", 2: "negative", m: "move", e: "erase" };
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if ((event.ctrlKey || event.metaKey) && (key === "z" || key === "y")) {
      this.act(key === "z" && !event.shiftKey ? "undo" : "redo");
    } else if (event.ctrlKey || event.metaKey || event.altKey) {
      return;
    } else if (ways[key]) {
      const by = event.shiftKey ? 1 : STEP;
      this.cursor = this.cursor.map((part, k) => clamp(part + by * ways[key][k]));
      if (this.held) {
        this.task[this.held.kind][this.held.k] = [...this.cursor];
        this.tell(`At ${shown(this.cursor)}.`);
      } else this.said.textContent = `At ${shown(this.cursor)}.`;
    } else if (key === "Enter" || key === " ") {
      if (this.held) {
        this.said.textContent = `Put down at ${shown(this.cursor)}.`;
        this.held = null;
      } else {
        this.held = this.use([...this.cursor], this.tool === "move" || this.tool === "erase" ? 2 * NEAR : 1);
        if (this.held) this.said.textContent = "Picked up: arrows move it, Enter puts it down.";
      }
    } else if (key === "Delete" || key === "Backspace") {
      const found = this.nearest(this.cursor, 2 * NEAR);
      if (found) this.erase(found);
    } else if (tools[key]) {
      this.choose(tools[key]);
    } else return;
    event.preventDefault();
    event.stopPropagation();
    this.draw();
  }

  // What is seen -------------------------------------------------------------------------------------------------------

  draw() {
    const tabs = this.root.querySelector(".tasks");
    tabs.replaceChildren(...this.tasks.map((task, k) => {
      const button = document.createElement("button");
      button.dataset.task = k;
      button.setAttribute("aria-pressed", k === this.at);
      button.textContent = `${task.name} (${task.positive.length} + ${task.negative.length})`;
      return button;
    }));
    if (this.root.activeElement !== this.input && document.activeElement !== this.input) this.input.value = this.task.name;
    this.input.maxLength = this.most.name;
    for (const button of this.root.querySelectorAll("[data-tool]")) button.setAttribute("aria-pressed", button.dataset.tool === this.tool);
    const able = { undo: this.back.length, redo: this.forth.length, remove: this.tasks.length > 1, add: this.tasks.length < this.most.tasks };
    for (const [name, can] of Object.entries(able)) this.root.querySelector(`[data-do=${name}]`).disabled = !can;
    this.svg.setAttribute("aria-label", `Task ${this.task.name}: ${this.task.positive.length} positive and ${this.task.negative.length} negative points`);
    this.svg.replaceChildren(...this.picture());
  }

  picture() {
    const parts = [];
    const make = (name, values) => {
      const part = document.createElementNS(SVG, name);
      for (const [key, value] of Object.entries(values)) part.setAttribute(key, value);
      parts.push(part);
      return part;
    };
    for (const k of [0, 1, 2, 3, 4].map(k => 42.5 + 42.5 * k)) {
      make("line", { class: "grid", x1: k, x2: k, y1: 0, y2: SIDE });
      make("line", { class: "grid", y1: k, y2: k, x1: 0, x2: SIDE });
    }
    const lines = this.lines?.[this.task.name] ?? {};
    for (const which of ["source", "own"]) {
      if (!lines[which]) continue;
      const [x1, y1, x2, y2] = lines[which];
      make("line", { class: `line ${which} ${this.stale ? "stale" : ""}`, x1, y1: SIDE - y1, x2, y2: SIDE - y2 });
    }
    this.task.positive.forEach(([x, y]) => make("circle", { class: "p", cx: x, cy: SIDE - y, r: 3 }));
    this.task.negative.forEach(([x, y]) => make("path", { class: "n", d: `M${x - 2.6} ${SIDE - y - 2.6}l5.2 5.2m0 -5.2l-5.2 5.2` }));
    const [x, y] = this.cursor;
    make("path", { class: "cursor", d: `M${x - 8} ${SIDE - y}h16M${x} ${SIDE - y - 8}v16` });
    return parts;
  }
}

const all = new WeakMap();

export default function ({ parentElement, data, setStateValue }) {
  const canvas = all.get(parentElement) ?? new Canvas(parentElement);
  all.set(parentElement, canvas);
  canvas.update(data, setStateValue);
}
