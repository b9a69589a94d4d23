import type { DemoLink } from './demo-data.ts'
import type { Random } from './random.ts'

const COUNTRIES = [
  { weight: 38, country: 'US', language: 'en-US', timezone: 'America/New_York' },
  { weight: 13, country: 'US', language: 'en-US', timezone: 'America/Los_Angeles' },
  { weight: 11, country: 'GB', language: 'en-GB', timezone: 'Europe/London' },
  { weight: 8, country: 'DE', language: 'de-DE', timezone: 'Europe/Berlin' },
  { weight: 7, country: 'CA', language: 'en-CA', timezone: 'America/Toronto' },
  { weight: 6, country: 'IN', language: 'en-IN', timezone: 'Asia/Kolkata' },
  { weight: 4, country: 'FR', language: 'fr-FR', timezone: 'Europe/Paris' },
  { weight: 4, country: 'BR', language: 'pt-BR', timezone: 'America/Sao_Paulo' },
  { weight: 4, country: 'AU', language: 'en-AU', timezone: 'Australia/Sydney' },
  { weight: 3, country: 'JP', language: 'ja-JP', timezone: 'Asia/Tokyo' },
  { weight: 2, country: 'SE', language: 'sv-SE', timezone: 'Europe/Stockholm' },
] as const

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)'
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64'
const SAFARI = 'AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.3'

/** Full user agents, so that devices and browsers are named by our own parser. */
const DESKTOPS = [
  { weight: 34, userAgent: `${WINDOWS}) ${WEBKIT} Chrome/134.0.0.0 Safari/537.36`, screen: '1920x1080' },
  { weight: 24, userAgent: `${MAC} ${WEBKIT} Chrome/134.0.0.0 Safari/537.36`, screen: '1728x1117' },
  { weight: 16, userAgent: `${MAC} ${SAFARI} Safari/605.1.15`, screen: '1512x982' },
  { weight: 14, userAgent: `${WINDOWS}) ${WEBKIT} Chrome/134.0.0.0 Safari/537.36 Edg/134.0.0.0`, screen: '1536x864' },
  { weight: 9, userAgent: `${WINDOWS}; rv:136.0) Gecko/20100101 Firefox/136.0`, screen: '1920x1200' },
  {
    weight: 3,
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:136.0) Gecko/20100101 Firefox/136.0',
    screen: '2560x1440',
  },
]

const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_3 like Mac OS X)'
const HANDHELDS = [
  { weight: 52, userAgent: `${IPHONE} ${SAFARI} Mobile/15E148 Safari/604.1`, screen: '390x844' },
  {
    weight: 40,
    userAgent: `Mozilla/5.0 (Linux; Android 15; Pixel 9) ${WEBKIT} Chrome/134.0.0.0 Mobile Safari/537.36`,
    screen: '412x915',
  },
  {
    weight: 8,
    userAgent: `Mozilla/5.0 (iPad; CPU OS 18_3 like Mac OS X) ${SAFARI} Mobile/15E148 Safari/604.1`,
    screen: '820x1180',
  },
]

/** Where each kind of visitor comes from, and the share on phones. Null means an app or mail client without a referrer. */
const AUDIENCES = {
  readers: {
    handheld: 0.28,
    from: [
      [7, 'https://lindqvist.example/best-analytics-tools'],
      [2, 'https://www.google.com/'],
      [1, null],
    ],
  },
  subscribers: {
    handheld: 0.42,
    from: [
      [6, null],
      [3, 'https://mail.google.com/'],
      [2, 'https://dataloop.example/issues/latest'],
    ],
  },
  viewers: {
    handheld: 0.66,
    from: [
      [8, 'https://www.youtube.com/'],
      [2, null],
    ],
  },
  searchers: {
    handheld: 0.22,
    from: [
      [6, 'https://startup-toolbox.example/analytics'],
      [3, 'https://www.google.com/'],
      [1, 'https://duckduckgo.com/'],
    ],
  },
  'bargain hunters': {
    handheld: 0.55,
    from: [
      [9, 'https://coupon-harbor.example/acme'],
      [1, null],
    ],
  },
} as const satisfies Record<
  DemoLink['audience'],
  { handheld: number; from: readonly (readonly [number, string | null])[] }
>

export type Person = ReturnType<typeof makePerson>

/** A person whose location, language and device stay the same across visits. */
export const makePerson = (random: Random, { audience }: DemoLink) => {
  const { country, language, timezone } = random.pick(COUNTRIES)
  const { userAgent, screen } = random.pick(random.chance(AUDIENCES[audience].handheld) ? HANDHELDS : DESKTOPS)
  const [width = 0, height = 0] = screen.split('x').map(Number)
  const viewport = `${width}x${Math.round(height * random.between(0.78, 0.9))}`
  const ip = `203.0.113.${Math.floor(random.between(1, 255))}/${random.hex(8)}`
  return { country, language, timezone, userAgent, screen, viewport, ip }
}

export const referrerOf = (random: Random, { audience }: DemoLink) =>
  random.pick(AUDIENCES[audience].from.map(([weight, url]) => ({ weight, url }))).url
