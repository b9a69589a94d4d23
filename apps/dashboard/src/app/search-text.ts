/** Search parameters as plain text: `?endpointId=1`. The router's default quotes texts that look like numbers. */
export const stringifySearch = (search: Record<string, unknown>) => {
  const entries = Object.entries(search).filter(([, value]) => value !== undefined && value !== null)
  const text = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString()
  return text && `?${text}`
}

/** Bookmarks may still have quoted numbers. */
export const parseSearch = (text: string): Record<string, unknown> =>
  Object.fromEntries([...new URLSearchParams(text)].map(([name, value]) => [name, value.replace(/^"(\d+)"$/, '$1')]))
