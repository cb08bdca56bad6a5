// Sums of orders by thing, as objects, closures and JSON have them, and a small machine of states.
'use strict';

function Sum(name) {
    this.name = name;
    this.count = 0;
    this.cents = 0;
}

Sum.prototype.add = function (count, price) {
    this.count += count;
    this.cents += Math.round(price * 100) * count;
    return this;
};

var sums = {}, wrong = 0, line;
while ((line = nextLine()) !== undefined) {
    var found = /^(\d+),([a-z]+),(\d+),(\d+\.\d\d)$/.exec(line);
    if (!found) {
        wrong++;
        continue;
    }
    (sums[found[2]] || (sums[found[2]] = new Sum(found[2]))).add(parseInt(found[3], 10), parseFloat(found[4]));
}

var sorted = Object.keys(sums).map(function (name) { return sums[name]; });
sorted.sort(function (a, b) { return b.cents - a.cents || (a.name < b.name ? -1 : 1); });
sorted.slice(0, 5).forEach(function (one, place) {
    print(place + 1, one.name, one.count, (one.cents / 100).toFixed(2));
});
var total = sorted.reduce(function (sum, one) { return sum + one.cents; }, 0);
print('total', total, 'wrong', wrong);

var text = JSON.stringify(sorted.slice(5, 9));
var again = JSON.parse(text);
print(text.length, again.map(function (one) { return one.name.toUpperCase(); }).join('-'));

function counter(step) {
    var at = 0;
    return function () { return at += step; };
}
var threes = counter(3), fives = counter(5);
for (var i = 0; i < 40; i++)
    if (threes() % 5 === 0)
        fives();
print(threes(), fives());

var states = {
    idle: { coin: 'ready', push: 'idle' },
    ready: { coin: 'ready', push: 'turn' },
    turn: { coin: 'turn', push: 'idle' }
};
var state = 'idle', passed = 0, seed = 7;
for (var n = 0; n < 300; n++) {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    state = states[state][seed % 7 < 3 ? 'coin' : 'push'];
    if (state === 'turn')
        passed++;
}
print(state, passed);

try {
    states.none.coin();
} catch (error) {
    print(error instanceof TypeError);
}
