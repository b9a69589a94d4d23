import { keepPreviousData } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { useCall } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { StateChip } from '~/components/badge.tsx'
import { Picker } from '~/components/controls/picker.tsx'

type Props = {
  value: string | undefined
  /** Name of the chosen partner, if their commissions are loaded. */
  name: string | undefined
  onChange: (partnerId: string | undefined) => void
}

const SHOWN = 20

/** Searches balances, not partners: every partner with a commission has a balance, and the `billing` role may read them. */
export const PartnerFilter = ({ value, name, onChange }: Props) => {
  const { program } = useProgram()
  const [text, setText] = useState('')
  const [picked, setPicked] = useState<string>()
  const query = { search: useDeferredValue(text), pageSize: SHOWN }
  const { data } = useCall(
    'get /api/programs/{programId}/balances',
    { programId: program.id, query },
    { placeholderData: keepPreviousData },
  )
  // A partner has one balance per currency.
  const partners = new Map(data?.data.map((row) => [String(row.partnerId), row]))
  const nameOf = (id: string | undefined) => (id ? partners.get(id)?.partnerName : undefined)
  return (
    <Picker
      label="Partner"
      className="w-full sm:w-56"
      value={value}
      shown={value ? (name ?? nameOf(value) ?? picked ?? '…') : 'All partners'}
      none="All partners"
      search={{ label: 'Search partners', text, onText: setText }}
      choices={
        data &&
        [...partners].map(([id, { partnerName, partnerArchived }]) => ({
          value: id,
          label: partnerName,
          ...(partnerArchived && { badge: <StateChip state="archived" /> }),
        }))
      }
      onPick={(id) => {
        setPicked(nameOf(id))
        onChange(id)
      }}
    />
  )
}
