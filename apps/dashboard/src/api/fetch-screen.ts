/** A part of the dashboard that could not be fetched. Only a new page tries again: a browser may remember that it failed. */
export class ScreenMissing extends Error {
  override name = 'ScreenMissing'
}

export const isServiceThere = async () => {
  try {
    return (await fetch('/healthz', { cache: 'no-store' })).ok
  } catch {
    return false
  }
}

/**
 * Says it where the service is gone, since a page that is loaded anew would then be the browser's own error. A service that
 * answers has a newer dashboard, and the error stays what it is: the router knows that one, and loads the page anew.
 */
export const orSayWhy = async (error: unknown): Promise<never> => {
  if (await isServiceThere()) throw error
  throw new ScreenMissing('The service cannot be reached. Check your connection and try again.')
}
