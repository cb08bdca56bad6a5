// The stock of a workshop: parts come and go, and a report is made of them.
class Host {
  foreign static line()
  foreign static write(text)
}

class Part {
  construct new(name) {
    _name = name
    _count = 0
    _worth = 0
    _moves = []
  }

  name { _name }
  count { _count }
  worth { _worth }
  moves { _moves }
  price { _count == 0 ? 0 : _worth / _count }

  take(number) {
    if (number > _count) Fiber.abort("only %(_count) of %(_name)")
    _worth = _worth - price * number
    _count = _count - number
    _moves.add(-number)
  }

  put(number, price) {
    _count = _count + number
    _worth = _worth + number * price
    _moves.add(number)
  }
}

class Bundle is Part {
  construct new(name, size) {
    super(name)
    _size = size
  }

  put(number, price) { super.put(number * _size, price / _size) }
}

class Stock {
  construct new() {
    _parts = {}
    _refused = 0
  }

  refused { _refused }

  part(name) {
    if (!_parts.containsKey(name)) {
      _parts[name] = name.startsWith("box-") ? Bundle.new(name, 12) : Part.new(name)
    }
    return _parts[name]
  }

  handle(words) {
    var number = Num.fromString(words[2])
    if (words[0] == "in") {
      part(words[1]).put(number, Num.fromString(words[3]))
    } else if (words[0] == "out") {
      var fiber = Fiber.new { part(words[1]).take(number) }
      var error = fiber.try()
      if (fiber.error != null) {
        _refused = _refused + 1
        Host.write("! %(error)\n")
      }
    }
  }

  report() {
    var list = _parts.values.where {|part| part.count > 0 }.toList
    list.sort {|a, b| a.worth == b.worth ? a.count > b.count : a.worth > b.worth }
    for (part in list) {
      var cents = (part.worth * 100).round
      var peak = 0
      part.moves.reduce(0) {|sum, move|
        if (sum + move > peak) peak = sum + move
        return sum + move
      }
      Host.write("%(part.name) %(part.count) %(cents) peak %(peak)\n")
    }
    return list.reduce(0) {|sum, part| sum + (part.worth * 100).round }
  }
}

var lines = Fiber.new {
  while (true) {
    var line = Host.line()
    if (line == null) break
    var words = line.split(" ")
    if (words.count > 2) Fiber.yield(words)
  }
}

var stock = Stock.new()
var handled = 0
while (true) {
  var words = lines.call()
  if (words == null) break
  stock.handle(words)
  handled = handled + 1
}
var total = stock.report()
System.print("%(handled) lines, %(stock.refused) refused, %(total) cents")
