import { postRequest } from './requests.ts'

/** Requests as browsers send them: every optional field, with the variety of a small shop's site. */

const AGENTS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/{}.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.{} Safari/605.1.15',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_{} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/{}.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (X11; Linux x86_64; rv:{}.0) Gecko/20100101 Firefox/{}.0',
  'Mozilla/5.0 (iPad; CPU OS 16_{} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.6 Mobile/15E148 Safari/604.1',
]
const SCREENS = ['1920x1080', '1440x900', '390x844', '2560x1440', '820x1180', '412x915']
const LANGUAGES = ['en-GB', 'de-DE', 'fr-FR', 'es-ES', 'pt-BR', 'en-US']
const ZONES = ['Europe/London', 'Europe/Berlin', 'America/New_York', 'Asia/Tokyo', 'America/Sao_Paulo']
const REFERRERS = [
  'https://www.google.com/',
  'https://news.example.org/best-tools-of-the-year',
  'https://t.co/a1B2c3D4e5',
]

const VARIETY = 3000

const pick = <T>(values: T[], index: number) => values[index % values.length] as T

const bodyOf = (index: number, aff: string) => ({
  affiliate_url: `https://shop.example.com/pricing?utm_source=partner&utm_campaign=autumn-${index % 40}&aff=${aff}`,
  page_url: `https://shop.example.com/pricing/plan-${index % 200}`,
  page_title: `Pricing: plan ${index % 200} | Example Shop`,
  referrer_url: pick(REFERRERS, index),
  session_id: crypto.randomUUID(),
  user_agent: pick(AGENTS, index).replaceAll('{}', String(100 + (index % 50))),
  screen_resolution: pick(SCREENS, index),
  viewport_size: pick(SCREENS, index + 1),
  language: pick(LANGUAGES, index),
  timezone: pick(ZONES, index),
})

/** Built before the measurement: the generator shares the machine with the service. */
export const makeClickRequests = (affs: string[]) => {
  const variety = Math.max(VARIETY, affs.length)
  const bodies = Array.from({ length: variety }, (_, index) => JSON.stringify(bodyOf(index, pick(affs, index * 7))))
  const fresh = bodies.map((body) => Buffer.from(requestOf(body)))
  let next = 0
  return {
    ofNewVisitor: () => pick(fresh, next++),
    ofReturningVisitor: (clickId: string) =>
      requestOf(`${pick(bodies, next++).slice(0, -1)},"existing_click_id":"${clickId}"}`),
  }
}

const requestOf = (body: string) => postRequest('/api/v1/track/click', body, { origin: 'https://shop.example.com' })
