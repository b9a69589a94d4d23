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
    pitch: 'For one person and their ideas.',
    points: ['Unlimited notebooks', 'Works offline', 'Export anytime'],
  },
  {
    id: 'team',
    name: 'Team',
    amountCents: 4900,
    currency: 'usd',
    mode: 'subscription',
    pitch: 'For teams of up to ten.',
    points: ['Everything in Solo', 'Shared notebooks', 'Version history'],
  },
  {
    id: 'forever',
    name: 'Forever',
    amountCents: 24_000,
    currency: 'usd',
    mode: 'payment',
    pitch: 'Pay once, keep it forever.',
    points: ['Everything in Solo', 'No subscription', 'All future versions'],
  },
]

export const findPlan = (id: string | null | undefined) => PLANS.find((plan) => plan.id === id)

export const formatPrice = ({ amountCents, currency }: Pick<Plan, 'amountCents' | 'currency'>) =>
  new Intl.NumberFormat('en', { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' }).format(
    amountCents / 100,
  )
