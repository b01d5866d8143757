// Waiting as the tests in a browser do: for what is seen, never for a time. A machine with two busy cores takes long
// and is still right.

// How long something may take that a person sees happen at once, in milliseconds.
export const patience = Number(process.env.GLUOND_PATIENCE ?? 60_000);

export const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

// Polls until `look` gives something; what it then gave. `what` is for the message of the one who waited in vain.
export async function until(what, look, milliseconds = patience) {
  const deadline = Date.now() + milliseconds;
  for (;;) {
    let failed;
    try {
      const seen = await look();
      if (seen) return seen;
    } catch (error) {
      failed = error; // a frame or an element that is being replaced
    }
    if (Date.now() > deadline)
      throw new Error(`never seen within ${milliseconds} ms: ${what}${failed ? ` (${failed.message})` : ''}`);
    await pause(50);
  }
}

// Does something until it is seen to have worked: what a person does whose click was lost while the window was busy.
export async function retry(what, act, look, milliseconds = patience) {
  for (const deadline = Date.now() + milliseconds; ; await pause(100)) {
    try {
      await act();
      return await until(what, look, Math.min(5_000, milliseconds));
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}
