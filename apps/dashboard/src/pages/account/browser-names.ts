/** In this order: each of them also says that it is the next. */
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

const nameIn = (names: [string, RegExp][], text: string) => names.find(([, sign]) => sign.test(text))?.[0]

/** "Firefox on Windows", as far as the browser says. */
export const browserIn = (userAgent: string | null | undefined) => {
  const browser = nameIn(BROWSERS, userAgent ?? '') ?? 'Unknown browser'
  const system = nameIn(SYSTEMS, userAgent ?? '')
  return system ? `${browser} on ${system}` : browser
}

export const isPhone = (userAgent: string | null | undefined) => /Android|iPhone/.test(userAgent ?? '')
