import type { Translation } from '../translation.ts';
import type { webhookTexts as english } from '../webhooks.ts';

export const webhookTexts = {
  title: 'Webhooks',
  lead: 'Cada mensaje indica adónde va su respuesta. Agrega esa URL aquí para firmar lo que recibe y para enviarle alertas de conversaciones en espera.',
  endpoints: 'Endpoints',
  endpointsLead:
    'Tus endpoints y todas las demás URL que reciben callbacks. Resultados de los últimos 7 días.',
  endpointsCount: 'Días en UTC. De cada día se cuentan las 500 entregas más recientes.',
  table: 'Endpoints de esta organización',
  columns: {
    url: 'Endpoint',
    signed: 'Firma',
    events: 'Recibe',
    delivered: 'Entregados',
    response: 'Tiempo',
    last: 'Último intento',
  },
  events: {
    callbacks: 'Callbacks',
    callbacksHelp: 'Respuestas, errores, aprobaciones',
    waiting: 'Conversaciones en espera',
  },
  waitingAlertsHelp:
    'Parley también avisa aquí cuando una conversación empieza a esperar atención humana, para agentes sin URL de alertas propia.',
  emptyTitle: 'Aún no hay endpoints',
  emptyText:
    'Una URL aparece aquí en cuanto recibe un callback. Agrega un endpoint para firmar sus callbacks.',
  ofCallbacks: (count: string) => `de ${count}`,
  delivered: (count: string, all: string) => `${count} de ${all} entregados`,
  byDay: 'Entregas por día',
  failedDeliveriesTo: (failures: string, host: string) => `${failures}: entregas a ${host}`,
  noCallbacks: 'Sin callbacks',
  allowWith: 'Para permitirlo, inicia Parley con',
  sign: 'Firmar',
  signUrl: (url: string) => `Firmar ${url}`,
  yes: 'Firmado',
  no: 'Sin firma',
  details: {
    label: 'Secreto y alertas',
    title: 'Secreto y alertas',
    secretHelp: 'Se mostró una sola vez, al crearlo. Si se pierde, rótalo.',
  },
  since: 'Creado',
  rotated: 'Rotado',
  previousUntil: 'El secreto anterior firma hasta el',
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
    lead: 'Recibes un secreto nuevo. Hasta que venza el anterior, los callbacks llevan ambas firmas, para que tu receptor pueda hacer el cambio mientras tanto.',
    overlap: 'Secreto anterior',
    overlapHelp: 'Tiempo para darle el secreto nuevo al receptor.',
    overlaps: {
      '0': 'Vence ahora',
      '3600': 'Firma durante 1 hora',
      '86400': 'Firma durante 24 horas',
      '604800': 'Firma durante 7 días',
    },
  },
  remove: (url: string) => ({
    label: 'Quitar',
    title: `¿Dejar de firmar los callbacks a ${url}?`,
    text: 'El secreto se elimina de inmediato. Los callbacks se siguen enviando, sin firma. El endpoint deja de recibir alertas.',
    action: 'Quitar endpoint',
    done: 'Se quitó el endpoint',
  }),
  made: {
    title: 'Copia el secreto ahora',
    lead: 'Dale este secreto a tu receptor. No volverás a verlo.',
    label: 'Secreto de firma',
    copyLabel: 'Copiar secreto',
  },
  secretUsage:
    'Verifica cada solicitud con la función verifyCallback de la biblioteca cliente o con el paquete standardwebhooks.',
  test: {
    title: 'Enviar un callback de prueba',
    ofEndpoint: 'Probar',
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
        'El receptor no respondió dentro del tiempo límite. Primero responde con 200 y luego haz el procesamiento.',
      'the connection was refused':
        'No hay nada escuchando en esa dirección. Revisa que el receptor esté en ejecución y que el puerto sea el correcto.',
      'the connection was lost': 'El receptor cerró la conexión antes de responder. Revisa su registro.',
      'the receiver could not be reached': 'Revisa el host, el puerto y el firewall.',
      'no trusted TLS connection could be made':
        'El certificado no es válido para este host. Revisa su nombre, su fecha y su cadena.',
      'the answer was not HTTP':
        'Otro protocolo responde en este puerto. Revisa http:// o https:// y el puerto.',
      'the name could not be looked up': 'Sus servidores DNS no responden. Inténtalo de nuevo en un momento.',
    },
    status: 'El receptor debe responder con un estado 2xx. Las redirecciones no se siguen.',
    request: 'Cuerpo de la solicitud',
    headers: 'Encabezados de la respuesta',
    answer: 'Comienzo de la respuesta',
    noBody: 'La respuesta no tenía cuerpo.',
  },
  local: {
    title: 'Receptores en este equipo',
    lead: 'Parley se ejecuta en modo local, así que se permiten los callbacks a ellos.',
    remove: (host: string) => ({
      label: 'Bloquear',
      title: `¿Bloquear los callbacks a ${host}?`,
      text: 'Puedes permitirlos de nuevo desde una entrega bloqueada.',
      action: 'Bloquear receptor',
      done: 'Receptor bloqueado',
    }),
    offer: (host: string) =>
      `${host} está en este equipo. Parley se ejecuta en modo local, así que puedes permitirlo aquí.`,
    allow: (host: string) => `Permitir callbacks a ${host}`,
    allowed: (host: string) => `Los callbacks a ${host} están permitidos. Reenvía el callback.`,
  },
  resend: {
    label: 'Reenviar…',
    action: 'Reenviar',
    title: '¿Reenviar este callback?',
    text: 'Una entrega nueva, con su propio ID, envía el mismo cuerpo una vez más, como máximo una. Esta entrega queda como está. Si llegó, tu receptor recibirá el mensaje dos veces, con el mismo message_id.',
    done: 'El callback se está reenviando',
    of: 'Reenviada manualmente.',
    first: 'Abrir la primera entrega',
    signed: 'Firmado',
  },
} satisfies Translation<typeof english>;
