const PATIENCE_MS = 30_000

/** Repeats an expectation until it holds: how soon a screen follows an action depends on the machine. */
export const soon = async (check: () => Promise<void>) => {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (Date.now() > deadline) throw error
      await Bun.sleep(20)
    }
  }
}
