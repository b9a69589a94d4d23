import { Field, Input, Textarea } from '~/components/controls/field.tsx'
import { fieldError } from '~/components/controls/form.tsx'

export type LegalTexts = { legalName: string; address: string; taxId: string }
/** Fields that show their own errors. */
export const LEGAL_FIELDS = ['legalName', 'address', 'taxId']
export const NO_LEGAL_TEXTS: LegalTexts = { legalName: '', address: '', taxId: '' }

export const isLegalEmpty = (texts: LegalTexts) => Object.values(texts).every((text) => text.trim() === '')

export const toLegalDetails = ({ legalName, address, taxId }: LegalTexts) => ({
  legalName: legalName.trim(),
  address: address.trim(),
  taxId: taxId.trim() || null,
})

type Props = { texts: LegalTexts; onChange: (texts: LegalTexts) => void; error: unknown }

/** Asked for before the first statements are issued. */
export const LegalFields = ({ texts, onChange, error }: Props) => (
  <fieldset className="mt-3 flex flex-col gap-2.5 rounded-lg border border-line px-3 pt-1 pb-3">
    <legend className="px-1 font-medium text-ink text-sm">Your business</legend>
    <p className="text-xs">
      Shown on each partner’s statement. Leave them empty to add them later and reissue the statements.
    </p>
    <div className="grid gap-3 sm:grid-cols-2">
      <Field label="Legal name" error={fieldError(error, 'legalName')}>
        {(wiring) => (
          <Input
            {...wiring}
            value={texts.legalName}
            maxLength={200}
            autoComplete="organization"
            onChange={({ target }) => onChange({ ...texts, legalName: target.value })}
          />
        )}
      </Field>
      <Field label="Tax ID" optional error={fieldError(error, 'taxId')}>
        {(wiring) => (
          <Input
            {...wiring}
            value={texts.taxId}
            maxLength={60}
            autoComplete="off"
            onChange={({ target }) => onChange({ ...texts, taxId: target.value })}
          />
        )}
      </Field>
    </div>
    <Field label="Address" error={fieldError(error, 'address')}>
      {(wiring) => (
        <Textarea
          {...wiring}
          value={texts.address}
          maxLength={500}
          rows={2}
          className="min-h-14"
          onChange={({ target }) => onChange({ ...texts, address: target.value })}
        />
      )}
    </Field>
  </fieldset>
)
