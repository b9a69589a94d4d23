import { type ComponentProps, useDeferredValue, useState } from 'react'
import { usePartner, usePartners } from '~/api/partners/partners.ts'
import { useProgram } from '~/app/program-context.ts'
import { StateChip } from '~/components/badge.tsx'
import { Picker } from '~/components/controls/picker.tsx'

type Props = Pick<ComponentProps<typeof Picker>, 'id' | 'className' | 'aria-describedby'> & {
  value: string | undefined
  /** Label for no choice, for example "All partners". */
  none: string
  onChange: (partnerId: string | undefined) => void
  /** For filters on past data. */
  withArchived?: boolean
  /** A partner who cannot be chosen. */
  except?: number | null
}

const SHOWN = 20

/** Preselects the partner only if there is just one: giving something to another partner by mistake can't be undone for past sales. */
export const useOnlyPartner = (programId: number) => {
  const { data } = usePartners(programId, { pageSize: 2 })
  return data?.data.length === 1 ? String(data.data[0]?.id) : undefined
}

export const PartnerPicker = ({ value, none, onChange, withArchived, except, ...rest }: Props) => {
  const { program } = useProgram()
  const [text, setText] = useState('')
  const search = useDeferredValue(text)
  const archived = withArchived ? 'all' : 'false'
  const partners = usePartners(program.id, { search, archived, sort: 'name', pageSize: SHOWN })
  const chosen = usePartner(program.id, value)
  return (
    <Picker
      {...rest}
      label="Partner"
      value={value}
      shown={value ? (chosen.data?.name ?? '…') : none}
      none={none}
      search={{ label: 'Search partners', text, onText: setText }}
      choices={partners.data?.data
        .filter(({ id }) => id !== except)
        .map(({ id, name, email, code, archived, status }) => ({
          value: String(id),
          label: name,
          note: email ?? code,
          ...(archived && { badge: <StateChip state="archived" /> }),
          ...(!archived && status !== 'approved' && { badge: <StateChip state={status} /> }),
        }))}
      onPick={onChange}
    />
  )
}
