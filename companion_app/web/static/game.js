// The page of a game: commands without leaving it, and whatever happens is drawn as it happens.
import { draftsOf, forget, putBack } from "./drafts.js";
import { orders, why } from "./orders.js";
import { renewParts } from "./parts.js";
import { hush, say } from "./say.js";
import { speaker } from "./game_speech.js";
import { areWarningsOn, warningSwitch } from "./warnings.js";

const page = document.getElementById("game");
const speak = speaker(document.getElementById("speech"));
const now = { newest: Number(page.dataset.newest), seq: Number(page.dataset.seq), state: page.dataset.state };
const queue = orders({ post, failed });

// A turn that came back with the page is somebody's typing, too.
for (const field of page.querySelectorAll("[name=turn]")) {
  const typed = field.value;
  field.defaultValue = "";
  field.value = typed;
}

page.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-live]");
  if (!form) return;
  event.preventDefault();
  const body = new FormData(form, event.submitter);
  const order = { lane: form.dataset.lane, action: form.action, text: body.get("turn"), drafts: draftsOf(form), body };
  if (!queue.add(order)) return;
  if (order.text) forget(page, order.drafts); // the next turn can be typed
  if ("slow" in form.dataset) say("Reading the table …", false, true);
});

warningSwitch(document.getElementById("warnings"), page);

async function post(order) {
  const response = await fetch(order.action, { method: "POST", headers: { Accept: "application/json" }, body: order.body });
  const answer = await response.json();
  if (answer.parts && (response.ok || answer.error === "stale")) draw(answer);
  if (!response.ok) throw new Error(answer.sentence);
  forget(page, order.drafts);
  page.querySelector(".refused")?.remove();
  hush();
  return answer;
}

// What was typed goes back into its field; what has no room there is told.
function failed(error, order, ...others) {
  const texts = [order, ...others].map(({ text }) => text).filter(Boolean);
  if (order.text && putBack(page, order.drafts)) texts.shift();
  const lost = texts.length ? `Not played: “${texts.join("”, “")}”.` : others.length ? "What was pressed after it was not done either." : "";
  page.querySelector(".refused")?.remove();
  if (texts.length) page.querySelector(".verdict-area").append(refused(`${why(error)} ${lost}`));
  say(`${why(error)} ${lost}`.trim(), true);
}

function refused(words) {
  const line = document.createElement("p");
  line.className = "refused";
  line.setAttribute("role", "alert");
  line.textContent = `✕ ${words}`;
  return line;
}

// Answers overtake each other: what is older than the page is not drawn.
function draw({ parts: { moves, ...parts }, newest, seq, state, spoken, warned }) {
  if (newest < now.newest) return;
  const changed = seq !== now.seq || state !== now.state;
  const typing = state === "judging" && page.querySelector('[data-part="moves"] input:focus');
  renewParts(page, changed && !typing ? { moves, ...parts } : parts); // the field stays under the hands
  if (seq !== now.seq) speak(areWarningsOn() && warned ? `${spoken} ${warned}` : spoken);
  Object.assign(now, { newest, seq, state: typing ? now.state : state });
}

// Whoever leaves while turns are on their way is asked.
addEventListener("beforeunload", (event) => { if (queue.holdsText) event.preventDefault(); });

// News that come while others are being fetched are fetched once, afterwards.
let fetching = false;
let wanted = false;

async function renew() {
  if (fetching) {
    wanted = true;
    return;
  }
  fetching = true;
  try {
    const response = await fetch(page.dataset.parts, { headers: { Accept: "application/json" } });
    if (response.ok) draw(await response.json());
  } catch {
    // the stream says it again when the companion is back
  }
  fetching = false;
  if (wanted) {
    wanted = false;
    renew();
  }
}

const stream = new EventSource(page.dataset.events);
stream.addEventListener("message", renew);
stream.addEventListener("error", () => {
  if (stream.readyState === EventSource.CLOSED) setInterval(renew, 4000); // all places are taken
});

// The live picture, as often as it says itself, until another page is on its way.
let leaving = false;
addEventListener("beforeunload", () => { leaving = true; });
addEventListener("pageshow", () => { leaving = false; });
(function look() {
  const picture = page.querySelector("[data-refresh]");
  if (picture && !document.hidden && !leaving) picture.src = `${picture.src.split("?")[0]}?${Date.now()}`;
  setTimeout(look, Number(picture?.dataset.refresh ?? 1000));
})();

// The space bar presses the main button, wherever nothing else wants it.
document.addEventListener("keydown", (event) => {
  const free = event.target === document.body || event.target.id === "main";
  if (event.key !== " " || !free || event.repeat) return;
  const main = page.querySelector(".moves .primary.wide:not([href])");
  if (!main) return;
  event.preventDefault();
  main.click();
});
