import { useState } from 'react'
import { useCall } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { Field, Input, Select } from '~/components/controls/field.tsx'
import { fieldError } from '~/components/controls/form.tsx'
import { Disclosure } from '~/components/disclosure.tsx'

/** Where the code exists at a payment processor. Only needed if its events name the code by nothing but an ID. */
export const ProcessorFields = ({ error }: { error: unknown }) => {
  const { program } = useProgram()
  const processors = useCall('get /api/programs/{programId}/processors', { programId: program.id })
  const [processor, setProcessor] = useState('')
  return (
    <Disclosure label="ID at your payment processor">
      <Field
        label="Payment processor"
        optional
        hint="Only needed if your processor reports an ID instead of the code."
        error={fieldError(error, 'processor')}
      >
        {(wiring) => (
          <Select
            {...wiring}
            name="processor"
            value={processor}
            onChange={({ currentTarget }) => setProcessor(currentTarget.value)}
          >
            <option value="">None</option>
            {processors.data?.data.map((each) => (
              <option key={each.processor} value={each.processor}>
                {each.label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {processor && (
        <Field label="ID of the code there" error={fieldError(error, 'externalId')}>
          {(wiring) => (
            <Input {...wiring} name="externalId" maxLength={255} required placeholder="promo_…" autoComplete="off" />
          )}
        </Field>
      )}
    </Disclosure>
  )
}
