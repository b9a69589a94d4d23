import type { Fake } from './create-fake.ts'
import { createDodo } from './dodo/dodo.ts'
import { type FakeOptions, PROCESSOR_NAMES, type ProcessorName } from './fake.ts'
import { createLemonSqueezy } from './lemonsqueezy/lemonsqueezy.ts'
import { createPaddle } from './paddle/paddle.ts'
import { createPolar } from './polar/polar.ts'

export type { Fake } from './create-fake.ts'
export {
  type Delivery,
  type FakeOptions,
  type Payment,
  PROCESSOR_NAMES,
  type ProcessorName,
  type Purchase,
} from './fake.ts'
export { createDodo, createLemonSqueezy, createPaddle, createPolar }

const FAKES: Record<ProcessorName, (options: FakeOptions) => Fake> = {
  paddle: createPaddle,
  lemonsqueezy: createLemonSqueezy,
  polar: createPolar,
  dodo: createDodo,
}

export const createFakeOf = (name: ProcessorName, options: FakeOptions) => FAKES[name](options)

export const isProcessorName = (text: string): text is ProcessorName => PROCESSOR_NAMES.some((name) => name === text)
