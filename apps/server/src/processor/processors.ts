import { dodo } from './dodo/dodo.ts'
import { lemonsqueezy } from './lemonsqueezy/lemonsqueezy.ts'
import { paddle } from './paddle/paddle.ts'
import { polar } from './polar/polar.ts'
import type { Processor } from './port.ts'
import { stripe } from './stripe/stripe.ts'

/** One line for each payment processor, in the order of the dashboard. */
export const processors: Processor[] = [stripe, paddle, lemonsqueezy, polar, dodo]

/** The processor of routes without a name. They are older than the second processor. */
export const unnamedProcessor: Processor = stripe

export const findProcessor = (name: string) => processors.find((processor) => processor.name === name)

/** The processor of a stored event or connection. */
export const processorOf = ({ processor: name }: { processor: string }): Processor => {
  const processor = findProcessor(name)
  if (!processor) throw new Error(`the payment processor ${name} is not in processors.ts`)
  return processor
}
