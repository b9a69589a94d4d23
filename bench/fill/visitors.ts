/** Visitors as a pure function of a number: two streams can generate the same visitor independently. */

export type Calendar = { seed: number; total: number; since: Date; until: Date }
export type Visitor = {
  n: number
  atMs: number
  linkIndex: number
  clickId: string
  eventId: string
  visitorHash: string
}

const MACHINES = [
  ['desktop', 'Chrome', 'Windows', '1920x1080'],
  ['mobile', 'Mobile Safari', 'iOS', '390x844'],
  ['desktop', 'Safari', 'macOS', '1440x900'],
  ['mobile', 'Mobile Chrome', 'Android', '412x915'],
  ['desktop', 'Firefox', 'Linux', '2560x1440'],
  ['tablet', 'Mobile Safari', 'iOS', '820x1180'],
] as const
const COUNTRIES = ['US', 'US', 'US', 'GB', 'DE', 'CA', 'IN', 'FR', 'BR', 'AU', 'JP', 'SE', 'NL', 'ES', 'IT', 'PL', 'MX']
const REFERRERS = 40
const PAGES = 200

/** Pseudo-random bits for a number and a salt. */
const mix = (n: number, salt: number) => {
  let bits = (n ^ Math.imul(salt, 0x9e3779b1)) | 0
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}
const hex = (n: number, salt: number) => mix(n, salt).toString(16).padStart(8, '0')

/** A few links bring most of the clicks, and every link brings some. */
const linkIndexOf = (n: number, seed: number, links: number) => Math.floor(links * (mix(n, seed + 1) / 2 ** 32) ** 3)

export const visitorOf = (
  { seed, total, since, until }: Calendar,
  n: number,
  place: { programId: number; links: number },
) => {
  const atMs = Math.floor(since.getTime() + (until.getTime() - since.getTime()) * (n / total))
  const random = hex(n, seed + 2) + hex(n, seed + 3)
  return {
    n,
    atMs,
    linkIndex: linkIndexOf(n, seed, place.links),
    // The format of tracking/clicks/click-ids.ts: nine digits of time, 22 random characters.
    clickId: `${place.programId}_${atMs.toString(36).padStart(9, '0')}${random}${n.toString(36).padStart(6, '0')}`,
    eventId: `${uuidTime(atMs)}-7${random.slice(0, 3)}-8${random.slice(3, 6)}-${random.slice(4)}`,
    visitorHash: random + random,
  } satisfies Visitor
}

/** Grows with time, like the service's UUIDs. */
const uuidTime = (atMs: number) => {
  const digits = atMs.toString(16).padStart(12, '0')
  return `${digits.slice(0, 8)}-${digits.slice(8)}`
}

/** The descriptive columns of a click, in the order of DESCRIBED. */
export const describe = ({ n, visitorHash }: Visitor) => {
  const [device, browser, system, screen] = MACHINES[n % MACHINES.length] ?? MACHINES[0]
  const page = n % PAGES
  return [
    `https://shop.example.com/pricing/plan-${page}`,
    `Pricing: plan ${page} | Example Shop`,
    `https://site-${n % REFERRERS}.example.org/best-tools`,
    visitorHash,
    `${screen}\t${screen}\ten-GB\tEurope/London\t${COUNTRIES[n % COUNTRIES.length]}`,
    `${device}\t${browser}\t${system}`,
    `\\\\x${visitorHash}`,
  ].join('\t')
}
export const DESCRIBED =
  'page_url, page_title, referrer_url, session_id, screen_resolution, viewport_size, language, timezone, country, device, browser, operating_system, visitor_hash'
