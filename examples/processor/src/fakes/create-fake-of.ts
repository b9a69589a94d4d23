import type { Fake } from './create-fake.ts'
import { createDodo } from './dodo/dodo.ts'
import { type FakeOptions, PROCESSOR_NAMES, type ProcessorName } from './fake.ts'
import { createLemonSqueezy } from './lemonsqueezy/lemonsqueezy.ts'
import { createPaddle } from './paddle/paddle.ts'
import { createPolar } from './polar/polar.ts'

const FAKES: Record<ProcessorName, (options: FakeOptions) => Fake> = {
  paddle: createPaddle,
  lemonsqueezy: createLemonSqueezy,
  polar: createPolar,
  dodo: createDodo,
}

export const createFakeOf = (name: ProcessorName, options: FakeOptions) => FAKES[name](options)

export const isProcessorName = (text: string): text is ProcessorName => PROCESSOR_NAMES.some((name) => name === text)

/** A new webhook secret, spelled as the processor spells it. `hex` are 32 hexadecimal digits. */
export const secretOf = (name: ProcessorName, hex: string) =>
  ({
    paddle: `pdl_ntfset_01${hex.slice(0, 24)}_${hex}`,
    lemonsqueezy: hex,
    polar: `polar_whs_${hex}`,
    dodo: `whsec_${Buffer.from(hex, 'hex').toString('base64')}`,
  })[name]
