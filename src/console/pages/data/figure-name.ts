/** A figure of the overview that a chart shows by day. */
export type FigureName = 'received' | 'median' | 'credits';
