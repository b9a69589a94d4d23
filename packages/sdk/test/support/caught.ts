/** The error that a call throws or rejects with. */
export const caught = async <Reason = Error>(call: () => unknown): Promise<Reason> => {
  try {
    await call()
  } catch (reason) {
    return reason as Reason
  }
  throw new Error('the call did not fail')
}
