import { type PlayContext, playRounds, type Target } from '../rounds.ts'
import type { Plan } from '../traffic/traffic.ts'
import { webhookSecretOf } from '../traffic/webhooks.ts'
import { type Benched, targetOf } from './benched.ts'
import { findVisitors, takeVisitors } from './visitors.ts'

const CONNECTIONS = 64
let runs = 0
/** A name that no other round has used, even in a database kept from another run. */
const runName = () => `${Date.now().toString(36)}-${++runs}`

const KINDS = {
  leads: {
    scenario: () => 'lead with commission',
    plan: (benched: Benched, length: { seconds: number }): Plan => ({
      kind: 'leads',
      apiKey: benched.service.program.key,
      run: runName(),
      clickIds: takeVisitors(benched, length),
    }),
  },
  sales: {
    scenario: () => 'sale with commission',
    plan: (benched: Benched): Plan => ({
      kind: 'sales',
      apiKey: benched.service.program.key,
      run: runName(),
      customerKeys: benched.people?.customerKeys ?? [],
    }),
  },
  webhooks: {
    scenario: ({ processor }: Benched) => `webhook event, signed${processor === 'stripe' ? '' : `, ${processor}`}`,
    plan: (benched: Benched): Plan => ({
      kind: 'webhooks',
      programId: benched.service.program.id,
      processor: benched.processor,
      secret: webhookSecretOf(benched.processor),
      run: runName().replace('-', 'y'),
      customerKeys: benched.people?.customerKeys ?? [],
    }),
  },
}
export type Money = keyof typeof KINDS

/** Calls of merchants' servers and of the processor: each is one transaction with commission and ledger line. */
export const playMoney = async (context: PlayContext, kind: Money, floor: Target, all: Benched[]) => {
  const { scenario, plan } = KINDS[kind]
  for (const benched of all)
    await findVisitors(benched, Math.min(2, context.seconds) + context.rounds * context.seconds, context.progress)
  const targets = all.map((benched) => targetOf(benched, scenario(benched), (length) => plan(benched, length), kind))
  return playRounds(context, CONNECTIONS, [floor, ...targets])
}
