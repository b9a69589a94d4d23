import { MAX_REVIEW_SECONDS } from '@tributary/contract/limits'
import { useState } from 'react'
import { useProgram } from '~/app/program-context.ts'
import { Field, Input, Select } from '~/components/controls/field.tsx'
import { FieldRow } from '~/components/controls/field-row.tsx'
import { fieldError } from '~/components/controls/form.tsx'
import { Switch } from '~/components/controls/switch.tsx'
import { Page } from '~/components/page.tsx'
import { Section } from '../section.tsx'
import { PROGRAM_CHOICES, PROGRAM_LABELS } from './program-labels.ts'
import { lockSetting, type SectionProps } from './section-props.ts'
import { ProgramSettingsForm } from './settings-form.tsx'

export const TrackingSettings = () => {
  const { may } = useProgram()
  return (
    <Page
      title="Tracking"
      description={
        may('program:update')
          ? 'Which click or code is credited, how leads and sales are reported, and which sales you review.'
          : 'Your role can view these settings but not change them.'
      }
    >
      <ProgramSettingsForm
        fields={[
          'cookieWindowDays',
          'attributionModel',
          'codePrecedence',
          'partnersRequestCodes',
          'leadAuth',
          'paymentTrackingMode',
          'respectGlobalPrivacyControl',
          'reviewAdClicks',
          'reviewWithinSeconds',
        ]}
      >
        {(props) => (
          <>
            <AttributionSection {...props} />
            <CodesSection {...props} />
            <ReportsSection {...props} />
            <ReviewsSection {...props} />
            <PrivacySection {...props} />
          </>
        )}
      </ProgramSettingsForm>
    </Page>
  )
}

const AttributionSection = ({ program, error, disabled, may }: SectionProps) => {
  const days = lockSetting({ may, disabled }, 'cookieWindowDays')
  const model = lockSetting({ may, disabled }, 'attributionModel')
  return (
    <Section
      title="Attribution"
      description="Choose which click gets credit for a lead. That customer’s sales go to the same partner. Past attributions don’t change."
      disabled={disabled}
    >
      <FieldRow>
        <Field
          label={PROGRAM_LABELS.cookieWindowDays}
          hint={days.hint('A lead is credited if it arrives within this many days of the click.')}
          error={fieldError(error, 'cookieWindowDays')}
        >
          {(wiring) => (
            <Input
              {...wiring}
              {...days.control}
              type="number"
              min={1}
              max={365}
              defaultValue={program.cookieWindowDays}
              required
            />
          )}
        </Field>
        <Field
          label={PROGRAM_LABELS.attributionModel}
          hint={model.hint('Decides which click counts if a person clicked more than once.')}
          error={fieldError(error, 'attributionModel')}
        >
          {(wiring) => (
            <Select {...wiring} {...model.control} defaultValue={program.attributionModel}>
              <Choices of="attributionModel" />
            </Select>
          )}
        </Field>
      </FieldRow>
    </Section>
  )
}

const CodesSection = ({ program, error, disabled, may }: SectionProps) => {
  const precedence = lockSetting({ may, disabled }, 'codePrecedence')
  return (
    <Section
      title="Promotion codes"
      description="Codes that customers enter when they pay. They credit a partner without a click."
      disabled={disabled}
    >
      <Field
        label={PROGRAM_LABELS.codePrecedence}
        hint={precedence.hint('Applies if a customer clicked one partner’s link and then uses another partner’s code.')}
        error={fieldError(error, 'codePrecedence')}
      >
        {(wiring) => (
          <Select {...wiring} {...precedence.control} defaultValue={program.codePrecedence}>
            <Choices of="codePrecedence" />
          </Select>
        )}
      </Field>
      <Switch
        name="partnersRequestCodes"
        label={PROGRAM_LABELS.partnersRequestCodes}
        hint="In the portal. A code counts once you approve it on the Codes page."
        defaultChecked={program.partnersRequestCodes}
        disabled={disabled}
      />
    </Section>
  )
}

const LEADS_HINT =
  'If a browser reports a lead, its commission stays in review until your server or a payment confirms the lead.'

const ReportsSection = ({ program, error, disabled, may }: SectionProps) => {
  const leads = lockSetting({ may, disabled }, 'leadAuth')
  const [leadAuth, setLeadAuth] = useState<string>(program.leadAuth)
  return (
    <Section title="Reporting" description="How leads and sales reach Tributary." disabled={disabled}>
      <Field
        label={PROGRAM_LABELS.leadAuth}
        hint={leads.hint(leadAuth === 'browser_allowed' ? LEADS_HINT : '')}
        error={fieldError(error, 'leadAuth')}
      >
        {(wiring) => (
          <Select
            {...wiring}
            {...leads.control}
            defaultValue={program.leadAuth}
            onChange={({ currentTarget }) => setLeadAuth(currentTarget.value)}
          >
            <Choices of="leadAuth" />
          </Select>
        )}
      </Field>
      <Field label={PROGRAM_LABELS.paymentTrackingMode} error={fieldError(error, 'paymentTrackingMode')}>
        {(wiring) => (
          <Select {...wiring} name="paymentTrackingMode" defaultValue={program.paymentTrackingMode}>
            <Choices of="paymentTrackingMode" />
          </Select>
        )}
      </Field>
    </Section>
  )
}

const ADS_HINT =
  'Recognized by parameters that ad networks add to the address, such as gclid or utm_medium=cpc. fbclid alone does not count, because Facebook adds it to ordinary posts too.'

/** Sales keep their credit; only the commission waits. */
const ReviewsSection = ({ program, error, disabled, may }: SectionProps) => {
  const ads = lockSetting({ may, disabled }, 'reviewAdClicks')
  const seconds = lockSetting({ may, disabled }, 'reviewWithinSeconds')
  return (
    <Section
      title="Reviews"
      description="Commissions of these sales wait until you approve or reject them. Past sales don’t change."
      disabled={disabled}
    >
      <Switch
        {...ads.control}
        label={PROGRAM_LABELS.reviewAdClicks}
        hint={ads.hint(ADS_HINT)}
        defaultChecked={program.reviewAdClicks}
      />
      <Field
        label={PROGRAM_LABELS.reviewWithinSeconds}
        hint={seconds.hint(
          'A sale this soon may come from a coupon extension at checkout. Leave empty to review none.',
        )}
        error={fieldError(error, 'reviewWithinSeconds')}
      >
        {(wiring) => (
          <Input
            {...wiring}
            {...seconds.control}
            type="number"
            min={1}
            max={MAX_REVIEW_SECONDS}
            defaultValue={program.reviewWithinSeconds ?? ''}
          />
        )}
      </Field>
    </Section>
  )
}

const PRIVACY_HINT =
  'No click is recorded for browsers that send the signal. Also copy the script tag from Setup again: it then includes data-gpc.'

const PrivacySection = ({ program, disabled, may }: SectionProps) => {
  const signal = lockSetting({ may, disabled }, 'respectGlobalPrivacyControl')
  return (
    <Section title="Privacy" description="Visitors who refuse tracking in their browser." disabled={disabled}>
      <Switch
        {...signal.control}
        label={PROGRAM_LABELS.respectGlobalPrivacyControl}
        hint={signal.hint(PRIVACY_HINT)}
        defaultChecked={program.respectGlobalPrivacyControl}
      />
    </Section>
  )
}

const Choices = ({ of }: { of: keyof typeof PROGRAM_CHOICES }) =>
  Object.entries(PROGRAM_CHOICES[of]).map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ))
