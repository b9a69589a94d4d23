export type Plan = {
  id: string
  name: string
  amountCents: number
  currency: string
  mode: 'subscription' | 'payment'
  pitch: string
  points: string[]
}

export const PLANS: Plan[] = [
  {
    id: 'solo',
    name: 'Solo',
    amountCents: 900,
    currency: 'usd',
    mode: 'subscription',
    pitch: 'For one head and its thoughts.',
    points: ['Unlimited notebooks', 'Works without a connection', 'Export whenever you like'],
  },
  {
    id: 'team',
    name: 'Team',
    amountCents: 4900,
    currency: 'usd',
    mode: 'subscription',
    pitch: 'For up to ten people who write together.',
    points: ['Everything in Solo', 'Shared notebooks', 'A history of every page'],
  },
  {
    id: 'forever',
    name: 'Forever',
    amountCents: 24_000,
    currency: 'usd',
    mode: 'payment',
    pitch: 'Pay once, keep it for good.',
    points: ['Everything in Solo', 'No subscription', 'All future versions'],
  },
]

export const planNamed = (id: string | null | undefined) => PLANS.find((plan) => plan.id === id)

export const priceOf = ({ amountCents, currency }: Pick<Plan, 'amountCents' | 'currency'>) =>
  new Intl.NumberFormat('en', { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' }).format(
    amountCents / 100,
  )
