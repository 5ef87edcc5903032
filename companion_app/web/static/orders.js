// Commands go out one after the other. While one is on its way, only more of the same lane wait behind it, such as turns
// that are typed ahead; whatever else is pressed meanwhile was meant for a page that the answer may change.
import { say } from "./say.js";

const SLOW_MS = 600;

// *post* sends an order and resolves to the answer; *failed* hears of an order that was refused, and what waited for it.
export function orders({ post, failed }) {
  const row = [];
  let slow = 0;

  // What takes long, or has to wait, is said until it is done.
  function tell() {
    clearTimeout(slow);
    const texts = row.map((order) => order.text).filter(Boolean);
    const [first, ...others] = texts;
    if (!first) return;
    const wait = others.length ? ` Then: “${others.join("”, “")}”.` : "";
    slow = setTimeout(() => say(`On its way: “${first}”.${wait}`, false, true), others.length ? 0 : SLOW_MS);
  }

  async function run() {
    while (row.length) {
      try {
        const { seq } = await post(row[0]);
        row.shift();
        if (row[0]?.body.has("base")) row[0].body.set("base", seq);
      } catch (error) {
        failed(error, ...row.splice(0));
      }
      tell();
    }
  }

  return {
    // Whether something that was typed has still to arrive.
    get holdsText() { return row.some(({ text }) => text); },
    // Whether it was taken; where it was not, that is said.
    add(order) {
      if (row.some(({ lane }) => !lane || lane !== order.lane)) {
        say("Not done: what was pressed before is still on its way. Wait for it, then press again.", true);
        return false;
      }
      row.push(order);
      tell();
      if (row.length === 1) run();
      return true;
    },
  };
}

// Why a request came to nothing, in a sentence.
export function why(error) {
  const offline = error instanceof TypeError || error instanceof SyntaxError;
  return offline ? "The companion does not answer: is it still running?" : error.message;
}
