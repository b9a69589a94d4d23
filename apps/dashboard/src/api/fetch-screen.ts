/** Part of the dashboard failed to load. Only a page reload can retry: browsers cache failed module imports. */
export class ScreenLoadError extends Error {
  override name = 'ScreenLoadError'
}

export const isServiceUp = async () => {
  try {
    return (await fetch('/healthz', { cache: 'no-store' })).ok
  } catch {
    return false
  }
}

/**
 * With the service down, reloading would show the browser's error page, so report it instead. With the service up, a newer
 * dashboard was deployed; the router recognizes the original error and reloads.
 */
export const rethrowLoadError = async (error: unknown): Promise<never> => {
  if (await isServiceUp()) throw error
  throw new ScreenLoadError('Can’t reach the service. Check your connection and try again.')
}
