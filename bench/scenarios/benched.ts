import { type Amounts, fill } from '../fill/fill.ts'
import type { Book, Place, Target } from '../rounds.ts'
import { type BenchedService, startBenchedService } from '../service.ts'
import type { Payer } from '../traffic/webhooks.ts'

/** A service under measurement, and everything it has acknowledged. */
export type Benched = {
  place: Exclude<Place, 'floor' | 'bare'>
  /** Where customers pay. */
  processor: Payer
  service: BenchedService
  since: Date
  clicks: Book
  leads: Book
  sales: Book
  webhooks: Book
  /** Visitors without a lead and customers with one, loaded on first use. */
  people: { clickIds: string[]; customerKeys: string[] } | null
}

const newBook = (): Book => ({ names: [], doubtful: 0 })

type StartOptions = { place: Benched['place']; processor: Payer; dataDir: string; workers?: number; keep?: boolean }

export const startBenched = async ({ place, processor, ...options }: StartOptions): Promise<Benched> => {
  const service = await startBenchedService(options)
  const books = { clicks: newBook(), leads: newBook(), sales: newBook(), webhooks: newBook() }
  return { place, processor, service, since: new Date(), ...books, people: null }
}

export const fillBenched = async (
  { service }: Benched,
  amounts: Amounts,
  progress: (text: string) => void,
  until = new Date(),
) => fill({ ...service, ...amounts, programId: service.program.id, progress, until })

type CallKind = 'clicks' | 'leads' | 'sales' | 'webhooks'

/** A target of a service; with a `kind`, acknowledged calls are recorded for verification. */
export const targetOf = (benched: Benched, scenario: string, plan: Target['plan'], kind: CallKind | null): Target => ({
  scenario,
  place: benched.place,
  port: benched.service.port,
  pid: benched.service.pid,
  plan,
  book: kind && benched[kind],
})
