// The replay: the slider and the arrow keys go through the turns, and the address follows.
import { why } from "./orders.js";
import { renewParts } from "./parts.js";
import { say } from "./say.js";
import { warningSwitch } from "./warnings.js";

const page = document.getElementById("replay");
const slider = document.getElementById("number");
const shown = document.getElementById("shown");
const count = Number(page.dataset.count);
let going = null;

warningSwitch(document.getElementById("warnings"), page);

async function go(number) {
  const turn = Math.max(0, Math.min(count, number));
  slider.value = turn;
  going?.abort();
  going = new AbortController();
  try {
    const address = `${page.dataset.turns}${turn}`;
    const response = await fetch(address, { headers: { Accept: "application/json" }, signal: going.signal });
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.sentence);
    renewParts(page, answer.parts);
    shown.textContent = `${turn} / ${count}`;
    history.replaceState(null, "", address);
  } catch (error) {
    if (error.name !== "AbortError") say(why(error), true);
  }
}

slider.addEventListener("input", () => go(Number(slider.value)));
document.getElementById("back").addEventListener("click", (event) => step(event, -1));
document.getElementById("on").addEventListener("click", (event) => step(event, 1));
document.addEventListener("keydown", (event) => {
  if (event.target.closest("input, select, textarea")) return;
  if (event.key === "ArrowLeft") step(event, -1);
  if (event.key === "ArrowRight") step(event, 1);
});

function step(event, by) {
  event.preventDefault();
  go(Number(slider.value) + by);
}
