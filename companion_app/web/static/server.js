// Sends corrections one after the other, each with the number of the newest event that the page has seen.
import { why } from "./orders.js";
import { say } from "./say.js";

export function server(address, state, renew) {
  let queue = Promise.resolve();
  let numbering = 0; // another one as soon as pieces come or go

  async function post(edit, meant) {
    if (edit.piece !== undefined && meant !== numbering) {
      throw new Error("Not done: the pieces have changed since. Choose the piece again.");
    }
    const response = await fetch(address, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json" },
      body: JSON.stringify({ base: send.state.seq, ...edit }),
    });
    const answer = await response.json();
    if (answer.parts) {
      if (answer.state.pieces.length !== send.state.pieces.length) numbering += 1;
      send.state = answer.state;
      renew(answer);
    }
    if (!response.ok) throw new Error(answer.sentence);
    return answer;
  }

  // Resolves to whether it was done.
  function send(edit) {
    const meant = numbering;
    const done = queue.then(() => post(edit, meant)).then(
      () => true,
      (error) => {
        say(why(error), true);
        return false;
      },
    );
    queue = done;
    return done;
  }
  send.state = state;
  return send;
}
