/** Waits for a condition, and throws on timeout. */
export const until = async (what: string, isTrue: () => boolean | Promise<boolean>, withinMs = 60_000) => {
  const giveUpAt = performance.now() + withinMs
  while (!(await isTrue())) {
    if (performance.now() > giveUpAt) throw new Error(`${what}: not within ${withinMs / 1000} s`)
    await Bun.sleep(20)
  }
}
