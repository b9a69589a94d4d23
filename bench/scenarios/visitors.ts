import { type Benched, fillBenched } from './benched.ts'

const CUSTOMERS = 5_000
/** More than any service can take per second here. */
const LEADS_PER_SECOND = 5_000
/** Two in three of the filled clicks are too old for a lead. */
const CLICKS_PER_VISITOR = 3.3

/**
 * Visitors who can sign up, for this many seconds of rounds, and customers who can buy; created if the database is
 * empty.
 */
export const findVisitors = async (benched: Benched, seconds: number, progress: (text: string) => void) => {
  if (benched.people) return benched.people
  const visitors = LEADS_PER_SECOND * seconds
  if (benched.place !== 'filled') {
    progress(`creating ${visitors.toLocaleString('en')} visitors to sign up (${benched.place})`)
    const clicks = CLICKS_PER_VISITOR * visitors + CUSTOMERS
    await fillBenched(benched, { clicks, leads: CUSTOMERS, sales: 0 }, () => {}, benched.since)
  }
  const { pool } = benched.service
  const texts = async (query: string, values: unknown[]) => {
    const { rows } = await pool.query<{ text: string }>({ text: query, values })
    return rows.map(({ text }) => text)
  }
  // Not those of earlier rounds: they all clicked from one address, and many leads of one visitor go to review.
  const clickIds = await texts(
    `SELECT click_id AS text FROM customers WHERE customer_status = 'click' AND last_clicked_at BETWEEN now() - interval '30 days' AND $2
     ORDER BY random() LIMIT $1`,
    [visitors, benched.since],
  )
  const customerKeys = await texts(
    `SELECT known.customer_key AS text FROM customer_keys known JOIN customers USING (program_id, click_id)
     WHERE first_clicked_at < now() - interval '2 hours' ORDER BY random() LIMIT $1`,
    [4 * CUSTOMERS],
  )
  if (clickIds.length < visitors)
    throw new Error(`${visitors} visitors are needed to sign up, but only ${clickIds.length} exist`)
  benched.people = { clickIds, customerKeys }
  return benched.people
}

/** Each visitor signs up once, so a round uses up its visitors. */
export const takeVisitors = ({ people }: Benched, { seconds }: { seconds: number }) =>
  people?.clickIds.splice(0, LEADS_PER_SECOND * seconds) ?? []
