import type { Translation } from '../translation.ts';
import type { webhookTexts as english } from '../webhooks.ts';

export const webhookTexts = {
  title: 'Webhooks',
  lead: 'Parley envía cada respuesta al webhook_url de su mensaje.',
  endpoints: 'Endpoints firmados',
  endpointsLead:
    'Los callbacks a estas URL, y a las rutas por debajo de ellas, llevan una firma Standard Webhooks.',
  table: 'Endpoints firmados de esta organización',
  columns: { url: 'Endpoint', lastDay: 'Último día', alerts: 'Alertas', secret: 'Secreto' },
  waitingAlerts: 'Conversaciones en espera',
  waitingAlertsHelp:
    'Parley también avisa aquí cuando una conversación empieza a esperar a una persona, para agentes sin URL de alertas propia.',
  emptyTitle: 'No hay endpoints firmados',
  emptyText: 'Los callbacks se envían sin firma. Agrega un endpoint para firmar los de un receptor.',
  delivered: (share: string, count: string) => `${share} de ${count} entregados`,
  noCallbacks: 'Sin callbacks',
  receivers: {
    title: 'Receptores del último día',
    lead: 'Cada URL que recibió callbacks, sin su query. Cuentan los 1000 callbacks más recientes.',
    table: 'Receptores del último día, por URL',
    url: 'Receptor',
  },
  since: 'Creado',
  rotated: 'Rotado',
  previousUntil: 'El secreto anterior firma hasta',
  lost: 'Secreto perdido',
  lostHelp: 'Los callbacks a este endpoint fallan hasta que rotes el secreto.',
  add: {
    label: 'Agregar endpoint',
    submit: 'Crear secreto',
    url: 'URL del endpoint',
    help: 'Por ejemplo, https://shop.example/hooks, sin query. Las URL por debajo de esta ruta también se firman.',
  },
  rotate: {
    label: 'Rotar secreto',
    title: (url: string) => `¿Rotar el secreto de ${url}?`,
    lead: 'Recibes un secreto nuevo. Hasta que el anterior termine, los callbacks llevan ambas firmas, para que tu receptor pueda cambiar entretanto.',
    overlap: 'Secreto anterior',
    overlapHelp: 'Tiempo para darle el secreto nuevo al receptor.',
    overlaps: {
      '0': 'Termina ahora',
      '3600': 'Firma durante 1 hora',
      '86400': 'Firma durante 24 horas',
      '604800': 'Firma durante 7 días',
    },
  },
  remove: (url: string) => ({
    label: 'Quitar',
    title: `¿Dejar de firmar los callbacks a ${url}?`,
    text: 'El secreto se elimina de inmediato. Los callbacks se siguen enviando, sin firma. Las alertas a él terminan.',
    action: 'Quitar endpoint',
    done: 'Endpoint quitado',
  }),
  made: {
    title: 'Copia el secreto ahora',
    lead: 'Dale este secreto a tu receptor. No volverás a verlo.',
    label: 'Secreto de firma',
    copyLabel: 'Copiar secreto',
  },
  secretUsage: 'Verifica cada solicitud con verifyCallback del cliente, o con el paquete standardwebhooks.',
  test: {
    title: 'Enviar un callback de prueba',
    ofEndpoint: 'Enviar prueba',
    lead: 'Envía un callback de ejemplo, como lo haría una respuesta. Está marcado como prueba y no aparece en Entregas.',
    url: 'URL del receptor',
    example: 'https://shop.example/hooks',
    submit: 'Enviar callback de prueba',
    result: 'Resultado del callback de prueba',
    outcomes: { delivered: 'Entregado', failed: 'Falló', blocked: 'Bloqueado' },
    signed: 'Firmado',
    unsigned: 'Sin firma',
    helps: {
      'no answer in time':
        'El receptor no respondió dentro del tiempo límite. Primero responde con 200 y luego haz el trabajo.',
      'the connection was refused':
        'Nada escucha en esa dirección. Revisa que el receptor esté en ejecución y que el puerto sea el correcto.',
      'the connection was lost': 'El receptor cerró la conexión antes de responder. Revisa su registro.',
      'the receiver could not be reached': 'Revisa el host, el puerto y el firewall.',
      'no trusted TLS connection could be made':
        'El certificado no es válido para este host. Revisa su nombre, su fecha y su cadena.',
      'the answer was not HTTP':
        'Otro protocolo responde en este puerto. Revisa http:// o https://, y el puerto.',
      'the name could not be looked up':
        'Sus servidores de nombres no responden. Inténtalo de nuevo en un momento.',
    },
    status: 'El receptor debe responder con un estado 2xx. Las redirecciones no se siguen.',
    request: 'Cuerpo de la solicitud',
    headers: 'Encabezados de la respuesta',
    answer: 'Comienzo de la respuesta',
    noBody: 'La respuesta no tenía cuerpo.',
  },
  local: {
    title: 'Receptores en este equipo',
    lead: 'Parley se ejecuta en modo local, así que se permiten los callbacks a estos.',
    remove: (host: string) => ({
      label: 'Bloquear',
      title: `¿Bloquear los callbacks a ${host}?`,
      text: 'Puedes permitirlo de nuevo desde una entrega bloqueada.',
      action: 'Bloquear receptor',
      done: 'Receptor bloqueado',
    }),
    offer: (host: string) =>
      `${host} está en este equipo. Parley se ejecuta en modo local, así que puedes permitirlo aquí.`,
    allow: (host: string) => `Permitir callbacks a ${host}`,
    allowed: (host: string) => `Los callbacks a ${host} están permitidos. Envía el callback de nuevo.`,
  },
  resend: {
    label: 'Reenviar…',
    action: 'Reenviar',
    title: '¿Reenviar este callback?',
    text: 'Una entrega nueva, con su propio ID, envía el mismo cuerpo una vez más, como máximo una. Esta entrega se queda como está. Si llegó, tu receptor recibe el mensaje dos veces, con el mismo message_id.',
    done: 'El callback se está reenviando',
    of: 'Reenviada a propósito.',
    first: 'Abrir la primera entrega',
    signed: 'Firmado',
  },
} satisfies Translation<typeof english>;
