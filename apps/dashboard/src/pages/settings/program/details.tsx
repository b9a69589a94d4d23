import { CURRENCIES } from '@tributary/contract/currencies'
import { useProgram } from '~/app/program-context.ts'
import { Field, Input, Select } from '~/components/controls/field.tsx'
import { FieldRow } from '~/components/controls/field-row.tsx'
import { fieldError } from '~/components/controls/form.tsx'
import { Switch } from '~/components/controls/switch.tsx'
import { zoneName } from '~/components/format/time-zone.ts'
import { timezones } from '~/components/format/timezones.ts'
import { Page } from '~/components/page.tsx'
import { Section } from '../section.tsx'
import { PROGRAM_LABELS } from './program-labels.ts'
import { lockSetting, type SectionProps } from './section-props.ts'
import { ProgramSettingsForm } from './settings-form.tsx'
import { WebsitesField } from './websites.tsx'

export const DetailsSettings = () => {
  const { may } = useProgram()
  return (
    <Page
      title="Details"
      description={
        may('program:update')
          ? 'What the program is called, and where its links lead.'
          : 'Your role can view these settings but not change them.'
      }
    >
      <ProgramSettingsForm fields={['name', 'websites', 'currency', 'timezone', 'partnersCreateLinks']}>
        {(props) => (
          <>
            <DetailsSection {...props} />
            <LinksSection {...props} />
          </>
        )}
      </ProgramSettingsForm>
    </Page>
  )
}

const DetailsSection = ({ program, error, disabled, may }: SectionProps) => {
  const currency = lockSetting({ may, disabled }, 'currency')
  return (
    <Section title="Program" description="Name, websites, currency and time zone." disabled={disabled}>
      <Field label={PROGRAM_LABELS.name} error={fieldError(error, 'name')}>
        {(wiring) => <Input {...wiring} name="name" maxLength={120} defaultValue={program.name} required />}
      </Field>
      <WebsitesField websites={program.websites} error={error} />
      <FieldRow>
        <Field
          label={PROGRAM_LABELS.currency}
          hint={currency.hint(
            'The currency of new rewards and of the totals on the overview. A sale keeps the currency it was paid in.',
          )}
          error={fieldError(error, 'currency')}
        >
          {(wiring) => (
            <Select {...wiring} {...currency.control} defaultValue={program.currency}>
              {[...new Set([...CURRENCIES, program.currency])].map((code) => (
                <option key={code}>{code}</option>
              ))}
            </Select>
          )}
        </Field>
        <Field
          label={PROGRAM_LABELS.timezone}
          hint="Used for reports and all displayed times."
          error={fieldError(error, 'timezone')}
        >
          {(wiring) => (
            <Select {...wiring} name="timezone" defaultValue={program.timezone}>
              {timezones(program.timezone).map((zone) => (
                <option key={zone} value={zone}>
                  {zoneName(zone)}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </FieldRow>
    </Section>
  )
}

const LinksSection = ({ program, disabled }: SectionProps) => (
  <Section title="Links" description="Who creates the links of partners." disabled={disabled}>
    <Switch
      name="partnersCreateLinks"
      label={PROGRAM_LABELS.partnersCreateLinks}
      hint="Partners create links in the portal. Otherwise you create links for them."
      defaultChecked={program.partnersCreateLinks}
      disabled={disabled}
    />
  </Section>
)
