import type { PayoutSchedule } from '@tributary/contract'
import { CalendarClock } from 'lucide-react'
import { useId, useState } from 'react'
import { useCall, useChange } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { Field, Select } from '~/components/controls/field.tsx'
import { Form, FormError, fieldError } from '~/components/controls/form.tsx'
import { formatCalendarDate } from '~/components/format/format.ts'
import { zoneName } from '~/components/format/time-zone.ts'
import { Dialog } from '~/components/overlays/dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { describeSchedule, ordinal, WEEKDAYS } from './schedule-text.ts'

export const ScheduleButton = () => {
  const { program } = useProgram()
  const { data } = useCall('get /api/programs/{programId}/payouts/schedule', { programId: program.id })
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Button onClick={() => setOpen(true)} disabled={!data}>
        <CalendarClock aria-hidden /> Schedule
      </Button>
      {data && isOpen && <ScheduleDialog schedule={data} onClose={close} />}
    </>
  )
}

const FREQUENCIES = { off: 'Off', weekly: 'Weekly', twice_monthly: 'Twice a month', monthly: 'Monthly' }
const LAST_DAY = { monthly: 28, twice_monthly: 14 }

type Frequency = PayoutSchedule['frequency']

const ScheduleDialog = ({ schedule, onClose }: { schedule: PayoutSchedule; onClose: () => void }) => {
  const { program } = useProgram()
  const form = useId()
  const change = useChange('put /api/programs/{programId}/payouts/schedule', { programId: program.id })
  const [frequency, setFrequency] = useState<Frequency>(schedule.frequency)
  const [chosenDay, setDay] = useState(schedule.day ?? 1)
  const [weekday, setWeekday] = useState(schedule.weekday ?? 1)
  const day = frequency === 'twice_monthly' ? Math.min(chosenDay, LAST_DAY.twice_monthly) : chosenDay
  const save = () =>
    change.mutate(
      { body: { frequency, ...(frequency === 'weekly' ? { weekday } : frequency !== 'off' && { day }) } },
      {
        onSuccess: (saved) => {
          toast.done(
            saved.nextOn
              ? `Schedule saved. Next draft on ${formatCalendarDate(saved.nextOn)}.`
              : 'Schedule turned off.',
          )
          onClose()
        },
      },
    )
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Payout schedule"
      description="Tributary prepares a draft of everything payable. Confirming the draft creates the payments; you send the money yourself."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} look="primary" busy={change.isPending}>
            Save schedule
          </Button>
        </>
      }
    >
      <Form id={form} onSubmit={save} className="flex flex-col gap-4">
        <FrequencyField frequency={frequency} onChange={setFrequency} error={change.error} />
        {frequency === 'weekly' && <WeekdayField weekday={weekday} onChange={setWeekday} error={change.error} />}
        {(frequency === 'monthly' || frequency === 'twice_monthly') && (
          <DayField frequency={frequency} day={day} onChange={setDay} error={change.error} />
        )}
        {frequency !== 'off' && (
          <p className="text-faint text-xs">
            {describeSchedule({ frequency, day, weekday })}, at midnight in {zoneName(program.timezone)}. Days without
            anything payable are skipped.
          </p>
        )}
        <FormError error={change.error} fields={['frequency', 'weekday', 'day']} />
      </Form>
    </Dialog>
  )
}

type DayProps = {
  frequency: keyof typeof LAST_DAY
  day: number
  onChange: (day: number) => void
  error: unknown
}

const DayField = ({ frequency, day, onChange, error }: DayProps) => (
  <Field label={frequency === 'monthly' ? 'Day of the month' : 'Days of the month'} error={fieldError(error, 'day')}>
    {(wiring) => (
      <Select {...wiring} value={day} onChange={({ target }) => onChange(Number(target.value))}>
        {Array.from({ length: LAST_DAY[frequency] }, (_, index) => index + 1).map((choice) => (
          <option key={choice} value={choice}>
            {frequency === 'monthly' ? ordinal(choice) : `${ordinal(choice)} and ${ordinal(choice + 14)}`}
          </option>
        ))}
      </Select>
    )}
  </Field>
)

type FrequencyProps = { frequency: Frequency; onChange: (frequency: Frequency) => void; error: unknown }

const FrequencyField = ({ frequency, onChange, error }: FrequencyProps) => (
  <Field label="Prepare a draft" error={fieldError(error, 'frequency')}>
    {(wiring) => (
      <Select {...wiring} value={frequency} onChange={({ target }) => onChange(target.value as Frequency)}>
        {Object.entries(FREQUENCIES).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
    )}
  </Field>
)

type WeekdayProps = { weekday: number; onChange: (weekday: number) => void; error: unknown }

const WeekdayField = ({ weekday, onChange, error }: WeekdayProps) => (
  <Field label="Day" error={fieldError(error, 'weekday')}>
    {(wiring) => (
      <Select {...wiring} value={weekday} onChange={({ target }) => onChange(Number(target.value))}>
        {WEEKDAYS.map((name, index) => (
          <option key={name} value={index + 1}>
            {name}
          </option>
        ))}
      </Select>
    )}
  </Field>
)
