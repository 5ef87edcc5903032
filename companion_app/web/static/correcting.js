// The page of a reading, for whoever may correct it: the sheet, the keys, and what comes back for each change.
import "./reading.js"; // what everybody can do; its buttons and these wake in one moment
import { onKeys } from "./keys.js";
import { decorate, renewParts } from "./parts.js";
import { say } from "./say.js";
import { server } from "./server.js";
import { Sheet } from "./sheet.js";

const page = document.querySelector(".reading");
const undo = document.getElementById("undo");
const help = document.getElementById("help");
const send = server(page.dataset.edits, JSON.parse(document.getElementById("state").textContent), renew);
const sheet = new Sheet(document.getElementById("sheet"), send);

function renew(answer) {
  renewParts(page, answer.parts);
  decorate(page);
  undo.disabled = !answer.state.undoable;
  sheet.refresh();
  say(answer.said, Boolean(answer.error));
}

page.addEventListener("click", (event) => {
  const spot = event.target.closest("[data-spot]");
  const button = event.target.closest("[data-edit]");
  if (spot) sheet.openSpot(spot);
  if (button) send(JSON.parse(button.dataset.edit));
});
undo.addEventListener("click", () => send({ do: "undo" }));
document.getElementById("add").addEventListener("click", (event) => sheet.openNew({}, event.currentTarget));
document.getElementById("help-button").addEventListener("click", () => help.showModal());

undo.disabled = !send.state.undoable;
onKeys({ page, sheet, help, send });
