// The page of a game: commands without leaving it, and whatever happens is drawn as it happens.
import { renewParts } from "./parts.js";
import { hush, say } from "./say.js";
import { speaker } from "./game_speech.js";
import { areWarningsOn, warningSwitch } from "./warnings.js";

const page = document.getElementById("game");
const speak = speaker(document.getElementById("speech"));
const now = { seq: Number(page.dataset.seq), state: page.dataset.state };

page.addEventListener("submit", async (event) => {
  const form = event.target.closest("form[data-live]");
  if (!form) return;
  event.preventDefault();
  if (form.ariaBusy === "true") return;
  form.ariaBusy = "true";
  if ("slow" in form.dataset) say("Reading the table …");
  try {
    const body = new FormData(form, event.submitter);
    const response = await fetch(form.action, { method: "POST", headers: { Accept: "application/json" }, body });
    const answer = await response.json();
    if (answer.parts && (response.ok || answer.error === "stale")) draw(answer);
    if (!response.ok) throw new Error(answer.sentence);
    page.querySelector(".refused")?.remove();
    hush();
  } catch (error) {
    say(offline(error) ? "The companion does not answer: is it still running?" : error.message, true);
  } finally {
    form.ariaBusy = "false";
  }
});

warningSwitch(document.getElementById("warnings"), page);

function draw({ parts: { moves, ...parts }, seq, state, spoken, warned }) {
  const changed = seq !== now.seq || state !== now.state;
  renewParts(page, changed ? { moves, ...parts } : parts); // what is being typed stays
  if (seq !== now.seq) speak(areWarningsOn() && warned ? `${spoken} ${warned}` : spoken);
  Object.assign(now, { seq, state });
}

function offline(error) {
  return error instanceof TypeError || error instanceof SyntaxError;
}

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
