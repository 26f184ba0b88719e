/**
 * @param activityOf returns 0 for a day without activity
 * @returns true if at least two days have activity, so that a chart by day shows more than a single bar
 */
export function hasTrend<Day>(days: readonly Day[], activityOf: (day: Day) => number): boolean {
  return days.filter((day) => activityOf(day) > 0).length > 1;
}
