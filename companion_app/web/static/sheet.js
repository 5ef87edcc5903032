// The sheet that corrects one piece, or adds one. A change to a piece counts at once; a new piece when it is complete.
const FIELDS = [..."abcdef"].flatMap((file) => [..."123456"].map((rank) => file + rank));

export class Sheet {
  constructor(element, send) {
    this.element = element;
    this.send = send;
    this.form = element.querySelector("form");
    this.title = element.querySelector("#sheet-title");
    this.piece = null; // number of the piece that is corrected; null while one is added
    this.unanswered = 0; // changes whose answers are still to come
    this.last = { color: "green", size: "small", owner: "south", role: "ship" };
    this.form.addEventListener("change", (event) => this.changed(event.target));
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.piece === null) this.add();
      else this.close();
    });
    element.querySelector("#sheet-close").addEventListener("click", () => this.close());
    element.querySelector("#sheet-remove").addEventListener("click", () => this.remove());
    document.addEventListener("pointerdown", (event) => {
      if (this.isOpen && !this.holds(event.target) && !event.target.closest("[data-spot], button")) this.close(false);
    });
  }

  get game() { return this.send.state.game; }
  get isOpen() { return !this.element.hidden; }
  holds(node) { return this.element.contains(node); }

  openSpot(spot) {
    if (spot.dataset.index === undefined) this.openBeside(spot);
    else this.open(Number(spot.dataset.index), spot);
  }

  // A new piece: on this empty field, at this system, of this kind of the bank, or at the system of this piece.
  openBeside(spot) {
    const { field, index, bankPiece } = spot.dataset;
    const system = index === undefined
      ? this.send.state.systems.find((one) => one.name === spot.dataset.system)?.id
      : this.send.state.pieces[index].system;
    const kind = bankPiece ? {
      color: { r: "red", y: "yellow", g: "green", b: "blue" }[bankPiece[0]],
      size: ["small", "medium", "large"][bankPiece[1] - 1],
    } : {};
    this.openNew({ ...(index === undefined && field ? { field } : {}), ...(system ? { system } : {}), ...kind }, spot);
  }

  openNew(known, from) {
    this.piece = null;
    this.show({ ...this.last, ...this.freePlace(), ...known }, from);
  }

  open(index, from) {
    this.piece = index;
    this.show(this.send.state.pieces[index], from);
  }

  show(values, from) {
    this.count = this.send.state.pieces.length;
    this.from = from;
    this.at = this.placeOf(from);
    this.element.hidden = false;
    this.fill(values);
    this.settleNear(from);
    this.title.focus({ preventScroll: true });
  }

  fill(values) {
    const { systems, pieces } = this.send.state;
    const places = this.form.elements.field ?? this.form.elements.system;
    if (this.game === "settlers") {
      const taken = new Set(pieces.filter((one, i) => one.field && i !== this.piece).map((one) => one.field));
      places.replaceChildren(...FIELDS.filter((name) => !taken.has(name)).map((name) => new Option(name, name)));
      places.value = values.field ?? "";
    } else {
      places.replaceChildren(...systems.map((one) => new Option(one.name, one.id)), new Option("a new system", 0));
      places.value = values.system ?? (systems[0]?.id ?? 0);
      this.form.elements.home.value = systems.find((one) => one.id === values.system)?.home ?? "";
    }
    for (const name of ["color", "size", "owner", "role"]) {
      for (const radio of this.form.elements[name]) radio.checked = radio.value === values[name];
    }
    this.title.textContent = this.piece === null ? "Add a piece" : values.words;
    this.element.querySelector("#sheet-remove").hidden = this.piece === null;
    this.element.querySelector("#sheet-done").textContent = this.piece === null ? "Add" : "Done";
    this.showWhatCounts();
  }

  // Stars have no owner, and what is in the bank has neither owner nor place.
  showWhatCounts() {
    const role = this.form.elements.role.value;
    this.element.querySelector("#owner-choice").hidden = role !== "ship";
    this.element.querySelector("#place-choice").hidden = role !== "ship" && role !== "star";
    const home = this.element.querySelector("#home-choice");
    if (home) home.hidden = this.piece === null || role !== "star";
  }

  async changed(control) {
    this.showWhatCounts();
    if (this.piece === null) return;
    const value = control.name === "system" ? Number(control.value) : control.value;
    const edit = control.name === "home"
      ? { do: "home", system: this.send.state.pieces[this.piece].system, home: control.value || null }
      : { do: "change", piece: this.piece, set: { [control.name]: value } };
    this.unanswered += 1;
    const done = await this.send(edit);
    this.unanswered -= 1;
    if (!done) this.refresh(); // what was not done is not shown either
  }

  choose(change) {
    for (const [name, value] of Object.entries(change)) {
      const radio = [...this.form.elements[name]].find((one) => one.value === value);
      if (!radio || radio.checked) continue;
      radio.checked = true;
      this.changed(radio);
    }
  }

  async add() {
    const { color, size, owner, role, field, system } = Object.fromEntries(new FormData(this.form));
    const kind = { color, size, role };
    const set = role === "bank" ? kind : {
      ...kind,
      ...(role === "ship" ? { owner } : {}),
      ...(this.game === "settlers" ? { field } : { system: Number(system) }),
    };
    this.waits(true);
    const done = await this.send({ do: "add", set });
    this.waits(false);
    if (done) {
      this.last = { color, size, owner: owner ?? "south", role };
      this.close();
    }
  }

  // While a new piece is on its way it is not added once more.
  waits(on) {
    const button = this.element.querySelector("#sheet-done");
    button.disabled = on;
    button.textContent = on ? "Adding …" : this.piece === null ? "Add" : "Done";
  }

  async remove() {
    if (this.piece === null) return this.close();
    const piece = this.piece;
    this.piece = null;
    if (await this.send({ do: "remove", piece })) this.close();
    else this.piece = piece;
  }

  // After news from the server: the piece as it is now.
  refresh() {
    if (!this.isOpen || this.piece === null || this.unanswered > 1) return; // a later answer shows all of them
    const { pieces } = this.send.state;
    if (pieces.length === this.count) this.fill(pieces[this.piece]);
    else this.close(); // they are numbered anew
  }

  close(refocus = true) {
    if (!this.isOpen) return;
    this.element.hidden = true;
    if (refocus) this.wayBack()?.focus();
  }

  freePlace() {
    const { pieces, systems } = this.send.state;
    const taken = new Set(pieces.map((one) => one.field));
    return this.game === "settlers" ? { field: FIELDS.find((name) => !taken.has(name)) } : { system: systems[0]?.id ?? 0 };
  }

  placeOf(from) {
    const area = from?.closest?.("[data-spots]");
    return area && { area, index: from.dataset.index, field: from.dataset.field };
  }

  // The spot it was opened from may have been drawn anew since.
  wayBack() {
    if (document.contains(this.from) || !this.at) return this.from;
    const { area, index, field } = this.at;
    return (field && area.querySelector(`[data-spot][data-field="${field}"]`))
      || (index && area.querySelector(`[data-spot][data-index="${index}"]`))
      || area.querySelector('[data-spot][tabindex="0"]');
  }

  // On a wide screen beside what it is about; on a phone the style puts it at the foot.
  settleNear(from) {
    this.element.style.left = this.element.style.top = "";
    const box = from?.getBoundingClientRect?.();
    const { width, height } = this.element.getBoundingClientRect();
    if (!box) return;
    if (!matchMedia("(min-width: 60rem)").matches) {
      scrollBy({ top: Math.max(0, box.bottom + 40 - (innerHeight - height)) });
      return;
    }
    const left = box.right + 14 + width < innerWidth ? box.right + 14 : box.left - 14 - width;
    this.element.style.left = `${Math.max(12, Math.min(left, innerWidth - width - 12))}px`;
    this.element.style.top = `${Math.max(12, Math.min(box.top - 80, innerHeight - height - 12))}px`;
  }
}
