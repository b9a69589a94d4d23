import type { Period } from '@tributary/contract'

export const PERIOD_OPTIONS: { value: Period; label: string }[] = [
  { value: '7d', label: '7 days' },
  { value: '30d', label: '30 days' },
  { value: '90d', label: '90 days' },
  { value: 'all', label: 'All time' },
]

export const periodOf = (text: string | undefined): Period =>
  PERIOD_OPTIONS.find(({ value }) => value === text)?.value ?? '30d'
