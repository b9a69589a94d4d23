import { makePerson, type Person, referrerOf } from './audience.ts'
import { type DemoLink, PARTNERS } from './demo-data.ts'
import type { Random } from './random.ts'

/** The last 30 days, the 30 before them, with which screens compare them, and a month in which the first subscriptions begin. */
const DEMO_DAYS = 98
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

export type Visit = { at: Date; link: DemoLink; referrerUrl: string | null; sessionId: string }
/** One visitor, who keeps one click_id, with their clicks in chronological order. */
export type Visitor = { person: Person; visits: [Visit, ...Visit[]] }

/** UTC: quiet at night in the Americas, busy during their day, with Europe before it. */
const HOURS = [22, 16, 12, 8, 6, 6, 9, 14, 20, 26, 30, 32, 38, 52, 66, 72, 74, 70, 66, 62, 56, 46, 36, 28].map(
  (weight, hour) => ({ hour, weight }),
)
const WEEKDAYS = [0.46, 1.04, 1.12, 1.1, 1.02, 0.84, 0.42]
/** How a newsletter's visitors spread over the week, by days since it was sent. */
const AFTER_SENDING = [3.9, 1.3, 0.6, 0.4, 0.3, 0.2, 0.3]

export const LINKS = PARTNERS.flatMap(({ links }) => links)

const startOfDay = (at: Date) => Math.floor(at.getTime() / DAY_MS) * DAY_MS

/** Ends now, so that today has events too. */
export const demoPeriod = (now: Date) => ({ start: new Date(startOfDay(now) - DEMO_DAYS * DAY_MS), end: now })

const isOpen = ({ endedDaysAgo = 0 }: DemoLink, at: number, end: Date) => at < end.getTime() - endedDaysAgo * DAY_MS

/** Everyone who followed a link in the fourteen weeks before `end`, by first visit. */
export const makeVisitors = (random: Random, { end }: { end: Date }): Visitor[] => {
  const visitors: Visitor[] = []
  for (let daysAgo = DEMO_DAYS; daysAgo >= 0; daysAgo--) {
    const day = new Date(startOfDay(end) - daysAgo * DAY_MS)
    for (const link of LINKS) {
      const visitorCount = random.whole(
        link.visitors * growthFactor(daysAgo) * weekdayFactor(link, day) * random.between(0.8, 1.2),
      )
      for (let i = 0; i < visitorCount; i++) visitors.push(makeVisitor(random, { link, day, end }))
    }
  }
  return visitors
    .filter(({ visits: [first] }) => isOpen(first.link, first.at.getTime(), end))
    .sort((a, b) => a.visits[0].at.getTime() - b.visits[0].at.getTime())
}

/** Grows from 55% to 100%. */
const growthFactor = (daysAgo: number) => 1 - 0.45 * (daysAgo / DEMO_DAYS)

const weekdayFactor = ({ sentOn }: DemoLink, day: Date) => {
  const weekday = day.getUTCDay()
  return (sentOn === undefined ? WEEKDAYS[weekday] : AFTER_SENDING[(weekday - sentOn + 7) % 7]) ?? 1
}

const makeVisitor = (random: Random, { link, day, end }: { link: DemoLink; day: Date; end: Date }): Visitor => {
  const visitAt = (at: number, followed: DemoLink): Visit => ({
    at: new Date(Math.floor(at)),
    link: followed,
    referrerUrl: referrerOf(random, followed),
    sessionId: random.hex(16),
  })
  const person = makePerson(random, link)
  let at = day.getTime() + random.pick(HOURS).hour * HOUR_MS + random.between(0, HOUR_MS)
  const visits: Visitor['visits'] = [visitAt(at, link)]
  // Some return, a few of them through another partner's link.
  while (random.chance(0.19)) {
    at += random.between(20 * MINUTE_MS, 4 * DAY_MS)
    const next = random.chance(0.15)
      ? random.pick(LINKS.map((other) => ({ weight: other.visitors, other }))).other
      : link
    if (isOpen(next, at, end)) visits.push(visitAt(at, next))
  }
  return { person, visits }
}
