import { Area, AreaChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { formatDay, formatWholeDay } from '../format/format.ts'
import { today } from '../format/time-zone.ts'
import type { TrendPoint, TrendProps } from './trend-chart.tsx'

const TICK = { fill: 'var(--faint)', fontSize: 11 }

const dotIn = (color: string) => ({ r: 3.5, fill: color, stroke: 'var(--surface)', strokeWidth: 2 })

const LETTER_PX = 7
const GAP_PX = 12

/** Based on the longest label: Recharts measures before the data arrives and would cut labels off. */
const axisWidth = (points: TrendPoint[], format: TrendProps['formatAxis']) =>
  GAP_PX + LETTER_PX * Math.max(...points.map(({ value }) => format(value).length), 2)

/** Today is incomplete, so the line to it is dashed: a morning must not look like a drop. */
const toSeries = (points: TrendPoint[]) => {
  const last = points.length - 1
  const includesToday = last > 0 && points[last]?.day === today()
  return points.map((point, index) => ({
    ...point,
    complete: includesToday && index === last ? null : point.value,
    today: includesToday && index >= last - 1 ? point.value : null,
  }))
}

/** A line by day, with the same numbers in a table for screen readers. */
export const TrendDrawing = ({ label, points, format, formatAxis, color = 'var(--accent)' }: TrendProps) => (
  <figure className="h-full">
    <figcaption className="sr-only">{label}</figcaption>
    <div aria-hidden className="h-full">
      <ResponsiveContainer width="100%" height="100%" initialDimension={{ width: 600, height: 240 }}>
        <AreaChart data={toSeries(points)} margin={{ top: 8, right: 8, bottom: 0, left: 0 }} accessibilityLayer={false}>
          <defs>
            <linearGradient id="trend" x1="0" y1="0" x2="0" y2="1">
              <stop offset="0%" stopColor={color} stopOpacity={0.18} />
              <stop offset="100%" stopColor={color} stopOpacity={0.01} />
            </linearGradient>
          </defs>
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <XAxis
            dataKey="day"
            tickFormatter={formatDay}
            tick={TICK}
            tickLine={false}
            axisLine={{ stroke: 'var(--line)' }}
            minTickGap={40}
            tickMargin={8}
          />
          <YAxis
            width={axisWidth(points, formatAxis)}
            tickFormatter={formatAxis}
            tick={TICK}
            tickLine={false}
            axisLine={false}
            allowDecimals={false}
          />
          <Tooltip
            cursor={{ stroke: 'var(--line-strong)' }}
            isAnimationActive={false}
            content={({ payload }) => <Bubble point={payload?.[0]?.payload} format={format} />}
          />
          <Area
            type="linear"
            dataKey="complete"
            stroke={color}
            strokeWidth={1.75}
            fill="url(#trend)"
            isAnimationActive={false}
            activeDot={dotIn(color)}
          />
          <Area
            type="linear"
            dataKey="today"
            stroke={color}
            strokeWidth={1.75}
            strokeDasharray="3 4"
            strokeOpacity={0.7}
            fill="none"
            isAnimationActive={false}
            activeDot={dotIn(color)}
          />
        </AreaChart>
      </ResponsiveContainer>
    </div>
    <ValueTable label={label} points={points} format={format} />
  </figure>
)

const ValueTable = ({ label, points, format }: Pick<TrendProps, 'label' | 'points' | 'format'>) => (
  <table className="sr-only">
    <caption>{label}</caption>
    <tbody>
      {points.map(({ day, value }) => (
        <tr key={day}>
          <th scope="row">{formatWholeDay(day)}</th>
          <td>{format(value)}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

const Bubble = ({ point, format }: { point: TrendPoint | undefined; format: TrendProps['format'] }) =>
  point ? (
    <p className="rounded-md border border-line bg-surface px-2.5 py-1.5 text-xs shadow-over">
      <span className="block text-faint">{formatWholeDay(point.day)}</span>
      <span className="font-semibold tabular-nums">{format(point.value)}</span>
    </p>
  ) : null
