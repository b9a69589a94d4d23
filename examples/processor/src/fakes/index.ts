export type { Fake } from './create-fake.ts'
export { createFakeOf, isProcessorName, secretOf } from './create-fake-of.ts'
export { createDodo } from './dodo/dodo.ts'
export {
  type Delivery,
  type DisputeStep,
  type FakeOptions,
  type Payment,
  PROCESSOR_NAMES,
  type ProcessorName,
  type Purchase,
} from './fake.ts'
export { createLemonSqueezy } from './lemonsqueezy/lemonsqueezy.ts'
export { createPaddle } from './paddle/paddle.ts'
export { createPolar } from './polar/polar.ts'
export { LABELS } from './server/pages.ts'
export { type FakeServer, startFake } from './server/start-fake.ts'
