import type pg from 'pg'
import type { Database } from '../apps/server/src/database/connect.ts'
import { inTransaction } from '../apps/server/src/database/transaction.ts'
import { addTerms, type NewTerms } from '../apps/server/src/money/rewards/reward-terms.ts'
import { createDefaultGroup } from '../apps/server/src/partners/groups.ts'
import { createApiKey } from '../apps/server/src/programs/api-keys.ts'
import { PAYERS, webhookSecretOf } from './traffic/webhooks.ts'

const PARTNERS = 500
const LINKS = 10_000
const DAY_MS = 86_400_000
const OWNER = { name: 'Bench', email: 'bench@example.com', password: 'a long password of the bench' }

type Instance = { db: Database; pool: pg.Pool; port: number }

/** Two dollars per lead, a fifth of every sale for life: no sale waits for another of its customer. */
const TERMS: NewTerms = {
  partnerId: null,
  groupId: null,
  currency: 'USD',
  leadAmountCents: 200,
  salePercentBps: 2_000,
  saleAmountCents: null,
  saleDuration: 'lifetime' as const,
  saleMonths: null,
  holdDays: 14,
  minimumPayoutCents: 0,
}

/** Signs up and creates a program with terms, a key, an endpoint for each processor and ten thousand links. */
export const setUpProgram = async (instance: Instance) => {
  const { db, pool, port } = instance
  const { cookie } = await post(port, '/api/auth/sign-up/email', OWNER)
  const workspace = await post(port, '/api/workspaces', { name: 'Bench' }, cookie)
  const createdAt = new Date(Date.now() - 100 * DAY_MS)
  const { rows } = await pool.query<{ id: number }>(
    'INSERT INTO programs (workspace_id, name, created_at) VALUES ($1, $2, $3) RETURNING id',
    [workspace.body.data.id, 'Bench', createdAt],
  )
  const programId = rows[0]?.id ?? 0
  await inTransaction(db, async (tx) => {
    await createDefaultGroup(tx, { programId, createdAt })
    await addTerms(tx, { programId, terms: TERMS, at: createdAt })
  })
  await makeLinks(pool, programId, createdAt)
  return programOf(instance, { programId, cookie })
}

/** The same for a kept data directory. */
export const findProgramSetUp = async (instance: Instance) => {
  const { cookie } = await post(instance.port, '/api/auth/sign-in/email', OWNER)
  const { rows } = await instance.pool.query<{ id: number }>('SELECT min(id) AS id FROM programs')
  return programOf(instance, { programId: rows[0]?.id ?? 0, cookie })
}

const programOf = async (
  { db, pool, port }: Instance,
  { programId, cookie }: { programId: number; cookie: string },
) => {
  for (const processor of PAYERS) {
    const secret = { webhookSecret: webhookSecretOf(processor) }
    await post(port, `/api/programs/${programId}/processors/${processor}`, secret, cookie, 'PUT')
  }
  const { key } = await createApiKey(db, { programId, name: 'bench', createdAt: new Date() })
  const { rows } = await pool.query<{ aff: string }>('SELECT aff FROM referral_links ORDER BY id')
  return { id: programId, key, cookie, affs: rows.map(({ aff }) => aff) }
}

const makeLinks = async (pool: pg.Pool, programId: number, createdAt: Date) => {
  await pool.query(
    `INSERT INTO partners (program_id, name, code, status, created_at)
     SELECT $1, 'Partner ' || n, 'partner' || n, 'approved', $3 FROM generate_series(1, $2) n`,
    [programId, PARTNERS, createdAt],
  )
  await pool.query(
    `INSERT INTO referral_links (aff, program_id, partner_id, created_at)
     SELECT 'link-' || n, $1, partner.id, $3 FROM generate_series(1, $2) n
     JOIN (SELECT id, row_number() OVER (ORDER BY id) - 1 AS place FROM partners WHERE program_id = $1) partner ON partner.place = n % $4
     ORDER BY n`,
    [programId, LINKS, createdAt, PARTNERS],
  )
  await pool.query(
    'INSERT INTO partner_codes SELECT code, program_id, id, created_at FROM partners WHERE program_id = $1',
    [programId],
  )
  await pool.query('VACUUM (ANALYZE) partners, referral_links, partner_codes')
}

/** `body` is any response of the service; only fields of the contract are read. */
type Answer = { body: { data: { id: string } }; cookie: string }

const post = async (
  port: number,
  path: string,
  body: object,
  cookie = '',
  method = 'POST',
  attempts = 10,
): Promise<Answer> => {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  // A busy machine is not an error: safe calls are retried.
  if (response.status === 503 && attempts > 1) {
    await Bun.sleep(1_000)
    return post(port, path, body, cookie, method, attempts - 1)
  }
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  const cookies = response.headers.getSetCookie().map((line) => line.split(';')[0])
  return { body: JSON.parse(text), cookie: cookies.join('; ') }
}
