/** Order matters: each user agent also contains the names of those below it. */
const BROWSERS: [name: string, sign: RegExp][] = [
  ['Edge', /Edg\//],
  ['Opera', /OPR\//],
  ['Firefox', /Firefox\//],
  ['Chrome', /Chrome\/|Chromium\/|CriOS\//],
  ['Safari', /Safari\//],
]
const SYSTEMS: [name: string, sign: RegExp][] = [
  ['Android', /Android/],
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['Linux', /Linux/],
]

const findName = (names: [string, RegExp][], text: string) => names.find(([, sign]) => sign.test(text))?.[0]

/** For example "Firefox on Windows". */
export const describeBrowser = (userAgent: string | null | undefined) => {
  const browser = findName(BROWSERS, userAgent ?? '') ?? 'Unknown browser'
  const system = findName(SYSTEMS, userAgent ?? '')
  return system ? `${browser} on ${system}` : browser
}

export const isPhone = (userAgent: string | null | undefined) => /Android|iPhone/.test(userAgent ?? '')
