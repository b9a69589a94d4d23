import { parseArgs } from 'node:util'
import {
  type FakeServer,
  isProcessorName,
  LABELS,
  PROCESSOR_NAMES,
  type ProcessorName,
  secretOf,
  startFake,
} from '../processor/src/fakes/index.ts'
import { startProcessor } from '../processor/src/index.ts'

export type DemoProcessorName = 'stripe' | ProcessorName

/** Reads `--processor`; Stripe is the default. */
export const readProcessorName = (argv: string[]): DemoProcessorName => {
  const { values } = parseArgs({ args: argv, options: { processor: { type: 'string', default: 'stripe' } } })
  const { processor } = values
  if (processor === 'stripe' || isProcessorName(processor)) return processor
  throw new Error(`--processor must be one of ${['stripe', ...PROCESSOR_NAMES].join(', ')}.`)
}

export const labelOf = (name: DemoProcessorName) => (name === 'stripe' ? 'Stripe' : LABELS[name])

/** The saved secret is Stripe's; the others are spelled from its digits. */
export const webhookSecretOf = (name: DemoProcessorName, saved: string) =>
  name === 'stripe' ? saved : secretOf(name, saved.replace(/^whsec_/, ''))

export const webhookPathOf = (name: DemoProcessorName, programId: number) =>
  name === 'stripe' ? `/api/v1/processor/webhook/${programId}` : `/api/v1/processor/${name}/webhook/${programId}`

type Options = { name: DemoProcessorName; port: number; webhookUrl: string; secret: string }
type DemoProcessor = Pick<FakeServer, 'url' | 'stop'>

export const startDemoProcessor = ({ name, port, webhookUrl, secret }: Options): DemoProcessor => {
  if (name === 'stripe') {
    const processor = startProcessor({ port })
    processor.addEndpoint({ url: webhookUrl, secret })
    return processor
  }
  const fake = startFake({ processor: name, port, secret })
  fake.addEndpoint(webhookUrl)
  return fake
}
