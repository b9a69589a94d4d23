import type { Breakdown } from '@tributary/contract'
import { formatCountry } from '~/components/format/format.ts'
import { capitalize } from '~/components/format/labels.ts'

export type Dimension = Breakdown['by']
type Row = Pick<Breakdown['rows'][number], 'value' | 'label'>

type Facts = {
  label: string
  name: (row: Row) => string
  /** The event list's filter for this value, if it has one. */
  filter?: (value: string) => Record<string, string>
}

const labelled = (unknown: string) => (row: Row) => row.label ?? row.value ?? unknown
const bare = (row: Row, unknown: string) => row.value?.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, '') || unknown

export const DIMENSIONS: Record<Dimension, Facts> = {
  partner: { label: 'Partner', name: labelled('No partner'), filter: (partnerId) => ({ partnerId }) },
  group: { label: 'Group', name: labelled('No group') },
  link: { label: 'Link code', name: labelled('No link'), filter: (linkId) => ({ linkId }) },
  referrer: { label: 'Referrer', name: (row) => bare(row, 'Direct / unknown') },
  landing: { label: 'Landing page', name: (row) => bare(row, 'Unknown') },
  country: {
    label: 'Country',
    name: ({ value }) => (value ? formatCountry(value) : 'Unknown'),
    filter: (country) => ({ country, eventType: 'click' }),
  },
  device: { label: 'Device', name: ({ value }) => capitalize(value ?? 'unknown') },
  browser: { label: 'Browser', name: ({ value }) => value ?? 'Unknown' },
  os: { label: 'OS', name: ({ value }) => value ?? 'Unknown' },
}
